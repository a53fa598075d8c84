#!/usr/bin/env python3
"""Prints the tags that a Singulate reader sees, and writes an EPC, through gRPC alone.

Make the stubs once, from the proto (Debian: python3-grpcio, protobuf-compiler-grpc):

    protoc -I proto --python_out=. --grpc_python_out=. \
        --plugin=protoc-gen-grpc_python=$(which grpc_python_plugin) \
        singulate/radio/v1/radio.proto
    python3 oem_client.py unix:/path/to/radio.sock
    python3 oem_client.py --write 3034257bf7194e4000001a85=e2001122 unix:/path/to/radio.sock
    python3 oem_client.py --ca ca.pem --cert client.pem --key client.key reader.local:50051

Tags go to standard output, everything else to standard error. Ctrl-C ends it.
"""
import argparse
import random
import signal
import sys
import threading
import time

import grpc
from singulate.radio.v1 import radio_pb2 as pb
from singulate.radio.v1 import radio_pb2_grpc

NAME = "oem-python"
CALL_SECONDS = 5  # deadline of a call: a reader that hangs must not hang its clients
LEASE_MS = 10_000  # how long the reader keeps control for us if we vanish
FIRST_WAIT, LONGEST_WAIT = 0.1, 2.0  # seconds between tries, doubled each time

# gRPC itself waits up to two minutes before it connects again; and only pings tell an idle
# stream from a dead line.
CHANNEL_OPTIONS = [
    ("grpc.initial_reconnect_backoff_ms", int(FIRST_WAIT * 1000)),
    ("grpc.max_reconnect_backoff_ms", int(LONGEST_WAIT * 1000)),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.max_pings_without_data", 0),
]

# The same call will be refused the same way again: a mistake of ours, or not allowed to us.
HOPELESS = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.UNIMPLEMENTED,
}


def say(text):
    print(text, file=sys.stderr, flush=True)


def describe(error):
    """One line for people. INVALID_ARGUMENT names each field, and what it may be."""
    return f"{error.code().name}: {error.details()}"


class Waits:
    """Seconds to wait before each try: doubling, capped, and never the same for all clients."""

    def __init__(self):
        self.longest = FIRST_WAIT

    def next(self):
        now = self.longest
        self.longest = min(LONGEST_WAIT, now * 2)
        return random.uniform(now / 2, now)

    def fresh(self):
        """Nothing has failed yet: worth a line. What follows is the same again."""
        return self.longest == FIRST_WAIT


def connect(options):
    if options.ca is None:
        return grpc.insecure_channel(options.target, options=CHANNEL_OPTIONS)
    ca, key, cert = (open(path, "rb").read() for path in (options.ca, options.key, options.cert))
    credentials = grpc.ssl_channel_credentials(ca, key, cert)
    return grpc.secure_channel(options.target, credentials, options=CHANNEL_OPTIONS)


def print_tags(radio, listening):
    """Follows the reads for ever: across restarts, from where it was."""
    log_id, next_sequence, waits = "", 0, Waits()
    while True:
        start = pb.StartPosition(log_id=log_id, after_sequence=max(next_sequence - 1, 0))
        # "from" is a word of Python, hence setattr.
        setattr(start, "from", pb.StartPosition.AFTER if log_id else pb.StartPosition.NOW)
        dropped = 0
        try:
            # A stream has no deadline: it is over when we say so. Keep-alive watches the line.
            for batch in radio.StreamReads(pb.StreamReadsRequest(start=start, client_name=NAME)):
                if batch.log_id:  # the first message says where the stream is
                    if batch.log_id == log_id:
                        say(f"reads: continued at {batch.first_sequence}")
                    elif log_id:
                        say(f"reads: the log is new, from {batch.first_sequence} on")
                    log_id, waits = batch.log_id, Waits()
                    listening.set()
                if batch.dropped > dropped:
                    say(f"reads: {batch.dropped - dropped} lost")
                    dropped = batch.dropped
                for sequence, read in enumerate(batch.reads, batch.first_sequence):
                    rssi = read.rssi_cdbm / 100
                    print(f"{sequence}  {read.epc.hex()}  antenna {read.antenna}  {rssi:.1f} dBm", flush=True)
                next_sequence = batch.next_sequence or batch.first_sequence + len(batch.reads)
        except grpc.RpcError as error:
            if error.code() in HOPELESS:
                raise
            if waits.fresh():
                say(f"reads: {describe(error)}; trying again")
        time.sleep(waits.next())


class NotDone(Exception):
    """The tag was found, and did not do what it was asked."""


def start_if_idle(radio, lease_id):
    """Starts every antenna with its defaults. Returns the inventory if it is ours."""
    if radio.GetStatus(pb.GetStatusRequest(), timeout=CALL_SECONDS).state == pb.RADIO_STATE_READING:
        return None
    # Each tag once a second and antenna, however often it is read.
    report = pb.ReportFilter(kind="INTERVAL", scope="PER_ANTENNA", period_ms=1000)
    request = pb.StartInventoryRequest(
        plan=pb.InventoryPlan(report_filter=report), owner=NAME, lease_id=lease_id
    )
    return radio.StartInventory(request, timeout=CALL_SECONDS).inventory_id


def access(radio, lease_id, epc, operation):
    request = pb.AccessTagRequest(
        tag=pb.TagMatch(epc=epc), operations=[operation], timeout_ms=CALL_SECONDS * 1000, lease_id=lease_id
    )
    # A little longer than timeout_ms, so that the reader's own answer arrives. The tag was found, but
    # may not have done it: the result says so.
    answer = radio.AccessTag(request, timeout=CALL_SECONDS + 1)
    result = answer.results[0]
    if result.status != pb.AccessResult.DONE:
        status = pb.AccessResult.Status.Name(result.status)
        raise NotDone(f"{status}, error {result.error}, {result.words_written} words written")
    return answer


def write_epc(radio, lease_id, old, new):
    """Gives one tag another EPC, and says what came of it."""
    try:
        # Bank EPC, in words: 0 is a CRC, which the tag makes itself; 1 the PC; the EPC begins at 2.
        pointer, words = 2, new
        if len(new) != len(old):
            # The upper five bits of the PC are the number of words of the EPC. The others stay.
            read_pc = pb.AccessOperation(kind="READ", bank="BANK_EPC", word_pointer=1, word_count=1)
            words = access(radio, lease_id, old, read_pc).results[0].data
            pc = int.from_bytes(words, "big") & 0x07FF | len(new) // 2 << 11
            pointer, words = 1, pc.to_bytes(2, "big") + new
        write = pb.AccessOperation(kind="WRITE", bank="BANK_EPC", word_pointer=pointer, data=words)
        answer = access(radio, lease_id, old, write)
        say(f"write: {old.hex()} is {new.hex()} now (antenna {answer.antenna}, {answer.elapsed_ms} ms)")
    except NotDone as error:
        say(f"write: {error}")
    except grpc.RpcError as error:
        say(f"write: {describe(error)}")


def renewed(radio, lease_id):
    """False: the lease is over. The reader was restarted, or somebody took control."""
    try:
        radio.RenewControl(pb.RenewControlRequest(lease_id=lease_id), timeout=CALL_SECONDS)
        return True
    except grpc.RpcError as error:
        if error.code() == grpc.StatusCode.FAILED_PRECONDITION:
            return False
        raise


def keep_control(radio, write, listening, ending):
    """Holds the lease, has the reader read, and writes the EPC, once."""
    listening.wait()  # so that no read is missed
    lease_id, inventory_id, ready, waits = "", None, False, Waits()
    while not ending.is_set():
        try:
            if not lease_id or not renewed(radio, lease_id):
                lease_id, ready = "", False
                request = pb.AcquireControlRequest(owner=NAME, ttl_ms=LEASE_MS)
                lease_id = radio.AcquireControl(request, timeout=CALL_SECONDS).lease_id
                say("control: ours")
            if not ready:
                started = start_if_idle(radio, lease_id)
                if started:
                    say("control: inventory started")
                inventory_id, ready = started or inventory_id, True
            waits = Waits()
            if write is not None:
                (old, new), write = write, None  # once: after an error nobody knows what is written
                write_epc(radio, lease_id, old, new)
            ending.wait(LEASE_MS / 3000)
        except grpc.RpcError as error:
            if waits.fresh():
                say(f"control: {describe(error)}")
            if error.code() in HOPELESS:
                break
            ending.wait(waits.next())
    if lease_id:
        leave(radio, lease_id, inventory_id)


def leave(radio, lease_id, inventory_id):
    """Leaves the reader as we found it, for the next one who wants control."""
    try:
        if inventory_id:
            stop = pb.StopInventoryRequest(inventory_id=inventory_id, lease_id=lease_id)
            radio.StopInventory(stop, timeout=CALL_SECONDS)
        radio.ReleaseControl(pb.ReleaseControlRequest(lease_id=lease_id), timeout=CALL_SECONDS)
        say("control: given back")
    except grpc.RpcError as error:
        say(f"control: {describe(error)}")


def epc_pair(text):
    old, new = text.split("=")
    return bytes.fromhex(old), bytes.fromhex(new)


def parse_options():
    parser = argparse.ArgumentParser(description="Prints tags, and writes an EPC.")
    parser.add_argument("target", nargs="?", default="unix:.singulate/radio.sock", help="unix:PATH or HOST:PORT")
    parser.add_argument("--write", metavar="OLD=NEW", type=epc_pair, help="EPCs in hex, whole words of 4 digits")
    parser.add_argument("--ca", help="PEM file of the authority of the reader's certificate")
    parser.add_argument("--cert", help="PEM file of our certificate")
    parser.add_argument("--key", help="PEM file of its key")
    options = parser.parse_args()
    if len({options.ca is None, options.cert is None, options.key is None}) > 1:
        parser.error("--ca, --cert and --key go together")
    return options


def end(*_):
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # once is enough: control is being given back
    raise KeyboardInterrupt


def main():
    options = parse_options()
    signal.signal(signal.SIGINT, end)
    signal.signal(signal.SIGTERM, end)
    listening, ending = threading.Event(), threading.Event()
    with connect(options) as channel:
        radio = radio_pb2_grpc.RadioStub(channel)
        control = threading.Thread(target=keep_control, args=(radio, options.write, listening, ending))
        control.start()
        try:
            print_tags(radio, listening)
        except KeyboardInterrupt:
            return 0
        except grpc.RpcError as error:
            say(f"reads: {describe(error)}")
            return 1
        finally:
            ending.set()
            listening.set()
            control.join()


if __name__ == "__main__":
    sys.exit(main())
