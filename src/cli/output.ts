/** Where a command prints: a process, or who wants to look at it. */
export interface Output {
  readonly stdout: Printer;
  readonly stderr: Printer;
}

interface Printer {
  write(text: string): unknown;
}
