/** Settings of the library that writes MQTT packets, for its two users: clients and the broker. */
import packets from 'mqtt-packet';

/** By itself it makes a buffer for each of 65,536 numbers at once: 8 MB for good. */
export function writeNumbersAsTheyCome(): void {
  packets.writeToStream.cacheNumbers = false;
}
