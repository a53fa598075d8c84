/**
 * Where a client may send the reader to: everywhere, or not to the reader itself and what is on its
 * own link. Looked at where the connection is made, so no redirect and no name server gets around it.
 */
import { lookup } from 'node:dns';
import { lookup as lookupAll } from 'node:dns/promises';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';

/** The loopback addresses, those of "this host", and those of one link. */
const LOCAL = new BlockList();
LOCAL.addSubnet('0.0.0.0', 8, 'ipv4');
LOCAL.addSubnet('127.0.0.0', 8, 'ipv4');
LOCAL.addSubnet('169.254.0.0', 16, 'ipv4');
// ::, ::1 and IPv4 in the old form ::a.b.c.d; ::ffff:a.b.c.d the list itself looks into.
LOCAL.addSubnet('::', 96, 'ipv6');
LOCAL.addSubnet('fe80::', 10, 'ipv6');

/** One text, whatever the name or the address was: it tells nothing of what is there. */
export class LocalAddressRefused extends Error {
  readonly code = 'ELOCALADDRESS';

  constructor() {
    super(
      'is an address of the reader itself or of its link, which this reader does not connect to',
    );
  }
}

/** @param address IPv4 or IPv6, also with a zone. */
export function isLocalAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  return LOCAL.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

export class Reach {
  /**
   * @param refusesLocal Connections to the reader itself and its link are refused.
   * @param isLocal Of an address: is it one of those?
   */
  constructor(
    readonly refusesLocal: boolean,
    private readonly isLocal = isLocalAddress,
  ) {}

  /** What a connection of node is to have beside its host; the host has to pass `check` before. */
  get lookup(): { lookup?: LookupFunction } {
    if (!this.refusesLocal) return {};
    return { lookup: (name, options, done) => this.#lookup(name, options, done) };
  }

  /** @param host Name or address, of a URL too; a name passes. @throws LocalAddressRefused */
  check(host: string): void {
    const plain = host.replace(/^\[|\]$/g, '');
    if (isIP(plain) !== 0) this.#need([plain]);
  }

  /** For clients that take no lookup: what they are to connect to. @throws LocalAddressRefused */
  async pinned(host: string): Promise<string> {
    if (!this.refusesLocal) return host;
    this.check(host);
    if (isIP(host) !== 0) return host;
    const found = (await lookupAll(host, { all: true })).map(({ address }) => address);
    this.#need(found);
    return found[0] ?? host;
  }

  #lookup(...[name, options, done]: Parameters<LookupFunction>): void {
    lookup(name, { ...options, all: true }, (error, found) => {
      try {
        if (error !== null) throw error;
        this.#need(found.map(({ address }) => address));
      } catch (refusal) {
        done(refusal as NodeJS.ErrnoException, '', 4);
        return;
      }
      if (options.all === true) done(null, found);
      else done(null, found[0]?.address ?? '', found[0]?.family);
    });
  }

  /** A name with one local address is refused as a whole. */
  #need(addresses: readonly string[]): void {
    if (this.refusesLocal && addresses.some((address) => this.isLocal(address)))
      throw new LocalAddressRefused();
  }
}

/** Nobody is refused. */
export const EVERYWHERE = new Reach(false);
