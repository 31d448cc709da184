/** `isOfReader`: whether a line of a recording is true on a reader's machine: pictures are made by root in a container, readers are not root. */
export function isOfReader(line: string): boolean {
  return !/the agent (?:ran|runs) as root/.test(line);
}
