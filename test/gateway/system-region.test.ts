/** Region of the radio, by REST. */
import t from 'tap';
import { FakeRadio } from './fake-radio.js';
import { radioTarget, TestReader, until } from './reader.js';

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  let { radio } = reader;

  t.test('the region that holds, with powers in tenths of a dBm', async (t) => {
    t.same((await reader.call('GET', 'region')).json, {
      region: 'hopland',
      regulatoryStandard: 'Hopland: three channels, hopping',
      lbtEnabled: 'false',
      channelData: [915_250, 915_750, 916_250],
      minTxPowerSupported: 100,
      maxTxPowerSupported: 300,
    });
  });

  t.test('the regions that there are, and the standards of one', async (t) => {
    t.same((await reader.call('GET', 'supportedRegionList')).json, {
      SupportedRegions: ['hopland', 'listenland'],
    });
    const region = 'listenland';
    t.same((await reader.call('GET', 'supportedStandardList', { region })).json, {
      SupportedStandards: [
        {
          StandardName: 'Listenland: two channels, listen before talk',
          isLBTConfigurable: 'false',
          channelData: [866_300, 866_900],
          isHoppingConfigurable: 'false',
        },
      ],
    });
    t.match(await reader.call('GET', 'supportedStandardList', { region: 'Utopia' }), {
      status: 400,
      json: { code: 1, message: 'region: "Utopia" is not one of hopland, listenland' },
    });
    t.match((await reader.call('GET', 'supportedStandardList')).json, {
      message: 'region: is required',
    });
  });

  t.test('a wrong request names every field, and changes nothing', async (t) => {
    const cases: [object, RegExp][] = [
      [{}, /region: is required/],
      [{ region: 'Utopia' }, /region: "Utopia" is not one of hopland, listenland/],
      [
        { region: 'listenland', lbtEnabled: false, channelData: [866_300, 7] },
        /lbtEnabled: false is not true.*channelData\[1\]: 7 is not one of the channels/,
      ],
      [{ region: 'hopland', channelData: [915_250] }, /channelData: has 1 of the 3 channels/],
      [
        { region: 'listenland', channelData: [866_300, 866_300] },
        /^channelData: entries 0 and 1 are equal$/,
      ],
      [{ region: 'hopland', regulatoryStandard: 'X' }, /regulatoryStandard: "X" is not "Hopland/],
    ];
    for (const [body, message] of cases) {
      t.match(await reader.call('PUT', 'region', body), {
        status: 400,
        json: { code: 1, message },
      });
    }
    t.equal(radio.regionChanges, 0);
  });

  t.test('countries by region, and a country in the place of its only region', async (t) => {
    const germany = { country: 'DE', name: 'Germany', regions: ['listenland'] };
    const brazil = { country: 'BR', name: 'Brazil', regions: ['hopland', 'listenland'] };
    const america = { country: 'US', name: 'United States', regions: ['hopland'] };
    const countries = async (query = '') =>
      (await reader.call('GET', `supportedCountryList${query}`)).json;
    t.same(await countries(), { SupportedCountries: [brazil, germany, america] });
    t.same(await countries('?region=listenland'), { SupportedCountries: [brazil, germany] });
    t.match(await countries('?region=Utopia'), { code: 1, message: /^region: "Utopia" is not/ });
    for (const region of ['Germany', 'de']) {
      t.match((await reader.call('GET', 'supportedStandardList', { region })).json, {
        SupportedStandards: [{ StandardName: 'Listenland: two channels, listen before talk' }],
      });
      t.match(await reader.call('PUT', 'region', { region }), { status: 200, text: '' });
      t.equal((await reader.call('GET', 'region')).json.region, 'listenland');
      t.match(await reader.call('PUT', 'region', { region: 'hopland' }), { status: 200 });
    }
    t.match(await reader.call('PUT', 'region', { region: 'Brazil' }), {
      status: 400,
      json: {
        message: 'region: Brazil has more than one region: choose one of hopland, listenland',
      },
    });
    const { SetRegulatory } = (await reader.call('GET', 'openapi.json')).json.components.schemas;
    const names = ['hopland', 'listenland', 'DE', 'Germany', 'US', 'United States'];
    t.same(SetRegulatory.properties.region.enum, names);
  });

  t.test('it cannot change while the reader reads', async (t) => {
    await reader.call('PUT', 'start');
    t.match(await reader.call('PUT', 'region', { region: 'listenland' }), {
      status: 400,
      json: { code: 3, message: /stop it before the region changes/ },
    });
    await reader.call('PUT', 'stop');
    t.equal(radio.region, 'hopland');
  });

  t.test('a region with some of its channels; what GET gives can be set again', async (t) => {
    const body = { region: 'listenland', lbtEnabled: 'true', channelData: [866_900] };
    t.match(await reader.call('PUT', 'region', body), { status: 200, text: '' });
    const { json } = await reader.call('GET', 'region');
    t.match(json, body);
    t.match(await reader.call('PUT', 'region', json), { status: 200 });
    t.same((await reader.call('GET', 'region')).json, json);
  });

  t.test('a radio that comes back with another region gets the one that was set', async (t) => {
    radio.kill();
    radio = new FakeRadio();
    await radio.listen(radioTarget(reader.stateDir));
    t.teardown(() => radio.kill());
    await until('the region is set', () => radio.region === 'listenland');
    t.same(radio.channelsKhz, [866_900]);
  });

  t.test('a radio that will not have the region that was set does not read', async (t) => {
    radio.kill();
    radio = new FakeRadio();
    radio.refuses = 'there is no such region here';
    await radio.listen(radioTarget(reader.stateDir));
    t.teardown(() => radio.kill());
    await until('the gateway is there', () => radio.subscribers > 0);
    t.match(await reader.call('PUT', 'start'), {
      status: 400,
      json: { message: /the radio refuses the region: there is no such region here/ },
    });
    t.equal(radio.starts.length, 0);
    radio.refuses = '';
    t.match(await reader.call('PUT', 'start'), { status: 200 });
    t.equal(radio.region, 'listenland');
  });
});

t.test(
  'a mode that the region does not allow any more: the state is at fault, not the request',
  async (t) => {
    const reader = await TestReader.start(t);
    t.teardown(() => reader.gateway.stop());
    const mode = { type: 'SIMPLE', transmitPower: 29 };
    t.equal((await reader.call('PUT', 'mode', mode)).status, 200);
    reader.radio.capabilities = { ...reader.radio.capabilities, maxTransmitPowerCdbm: 2500 };
    t.match(await reader.call('PUT', 'start'), {
      status: 400,
      json: {
        code: 3,
        message: /^reading cannot start with what is set: transmitPower/,
      },
    });
    t.equal(reader.radio.starts.length, 0);
  },
);
