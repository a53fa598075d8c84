package main

import (
	"context"
	"fmt"
	"log"

	radiov1 "example.com/oem-client/radiov1"
)

// position is where in which log of reads the next stream begins.
type position struct {
	logID        string
	nextSequence uint64
}

func (p position) start() *radiov1.StartPosition {
	if p.logID == "" {
		return &radiov1.StartPosition{From: radiov1.StartPosition_NOW}
	}
	return &radiov1.StartPosition{
		From:          radiov1.StartPosition_AFTER,
		LogId:         p.logID,
		AfterSequence: p.nextSequence - 1,
	}
}

// printTags follows the reads until ctx is done: across restarts, from where it was. It closes
// listening when the first stream stands.
func printTags(ctx context.Context, radio radiov1.RadioClient, listening chan<- struct{}) error {
	var at position
	var waits waits
	for {
		err := printStream(ctx, radio, &at, func() {
			waits.reset()
			if listening != nil {
				close(listening)
				listening = nil
			}
		})
		if ctx.Err() != nil {
			return nil
		}
		if hopeless(err) {
			return err
		}
		if waits.fresh() {
			log.Printf("reads: %s; trying again", describe(err))
		}
		waits.wait(ctx)
	}
}

// printStream prints the reads of one stream until it breaks, and keeps its position in `at`.
func printStream(ctx context.Context, radio radiov1.RadioClient, at *position, open func()) error {
	// A stream has no deadline: it is over when we say so. Keep-alive watches the line.
	stream, err := radio.StreamReads(ctx, &radiov1.StreamReadsRequest{
		Start: at.start(), ClientName: name,
	})
	if err != nil {
		return err
	}
	var dropped uint64
	for {
		batch, err := stream.Recv()
		if err != nil {
			return err
		}
		if batch.LogId != "" { // the first message says where the stream is
			if batch.LogId == at.logID {
				log.Printf("reads: continued at %d", batch.FirstSequence)
			} else if at.logID != "" {
				log.Printf("reads: the log is new, from %d on", batch.FirstSequence)
			}
			at.logID = batch.LogId
			open()
		}
		if batch.Dropped > dropped {
			log.Printf("reads: %d lost", batch.Dropped-dropped)
			dropped = batch.Dropped
		}
		for i, read := range batch.Reads {
			fmt.Printf("%d  %x  antenna %d  %.1f dBm\n",
				batch.FirstSequence+uint64(i), read.Epc, read.Antenna, float64(read.RssiCdbm)/100)
		}
		at.nextSequence = batch.FirstSequence + uint64(len(batch.Reads))
	}
}
