package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"time"

	radiov1 "example.com/oem-client/radiov1"
)

// Bank EPC, in words: 0 is a CRC, which the tag makes itself; 1 the PC; the EPC begins at 2.
const (
	wordOfPC  = 1
	wordOfEPC = 2
)

// writeEPC gives one tag another EPC, and says what came of it.
func writeEPC(ctx context.Context, radio radiov1.RadioClient, leaseID string, change epcChange) {
	write := &radiov1.AccessOperation{
		Kind:        radiov1.AccessOperation_WRITE,
		Bank:        radiov1.Bank_BANK_EPC,
		WordPointer: wordOfEPC,
		Data:        change.to,
	}
	if len(change.to) != len(change.from) {
		// The upper five bits of the PC are the number of words of the EPC. The others stay.
		answer, err := access(ctx, radio, leaseID, change.from, &radiov1.AccessOperation{
			Kind:        radiov1.AccessOperation_READ,
			Bank:        radiov1.Bank_BANK_EPC,
			WordPointer: wordOfPC,
			WordCount:   1,
		})
		if err != nil {
			log.Printf("write: %s", describe(err))
			return
		}
		pc := answer.Results[0].Data
		word := binary.BigEndian.Uint16(pc)&0x07ff | uint16(len(change.to)/2)<<11
		binary.BigEndian.PutUint16(pc, word)
		write.WordPointer, write.Data = wordOfPC, append(pc, change.to...)
	}
	answer, err := access(ctx, radio, leaseID, change.from, write)
	if err != nil {
		log.Printf("write: %s", describe(err))
		return
	}
	log.Printf("write: %x is %x now (antenna %d, %d ms)",
		change.from, change.to, answer.Antenna, answer.ElapsedMs)
}

// access has one operation done on the tag with this EPC, or returns an error.
func access(
	ctx context.Context, radio radiov1.RadioClient, leaseID string, epc []byte,
	operation *radiov1.AccessOperation,
) (*radiov1.AccessTagResponse, error) {
	// A little longer than TimeoutMs, so that the reader's own answer arrives.
	ctx, cancel := context.WithTimeout(ctx, callTimeout+time.Second)
	defer cancel()
	answer, err := radio.AccessTag(ctx, &radiov1.AccessTagRequest{
		Tag:        &radiov1.TagMatch{Epc: epc},
		Operations: []*radiov1.AccessOperation{operation},
		TimeoutMs:  uint32(callTimeout.Milliseconds()),
		LeaseId:    leaseID,
	})
	if err != nil {
		return nil, err
	}
	// The tag was found. What it did not do is told here.
	if result := answer.Results[0]; result.Status != radiov1.AccessResult_DONE {
		return nil, fmt.Errorf("%s, error %d, %d words written",
			result.Status, result.Error, result.WordsWritten)
	}
	return answer, nil
}
