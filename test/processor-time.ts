/** `processorMs` and `leastProcessorMs`: how long a piece of work keeps the processor busy. The clock on the wall tells more of other work. */
export function processorMs(work: () => unknown): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

/** The best of a few rounds: the first ones also compile, and a core that is shared with other work counts its seconds twice. */
export function leastProcessorMs(rounds: number, work: () => unknown): number {
  return Math.min(...Array.from({ length: rounds }, () => processorMs(work)));
}
