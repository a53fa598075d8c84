/** The MQTT library, loaded for the first connection. */

type Mqtt = typeof import('mqtt')['default'];

export async function loadMqtt(): Promise<Mqtt> {
  const [{ default: mqtt }, { writeNumbersAsTheyCome }] = await Promise.all([
    import('mqtt'),
    import('../../shared/mqtt-packets.js'),
  ]);
  writeNumbersAsTheyCome();
  return mqtt;
}
