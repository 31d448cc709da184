/** `slowness`: how many times longer than alone on the machine something takes now. Limits that are real seconds are stretched by it. */

/** Longer than the turn that a scheduler gives to a newcomer at once. */
const BUSY_MS = 100;

/** Time on the wall over processor time of a busy loop: 1 on an idle machine, however fast it is. */
export function slowness(): number {
  const begun = performance.now();
  const used = process.cpuUsage();
  const busyMs = () => {
    const { user, system } = process.cpuUsage(used);
    return (user + system) / 1_000;
  };
  while (busyMs() < BUSY_MS);
  return Math.max(1, (performance.now() - begun) / busyMs());
}
