/** `processorMs`: how long a piece of work keeps the processor busy. The clock on the wall tells more of other work than of this. */
export function processorMs(work: () => unknown): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}
