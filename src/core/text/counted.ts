/** `counted`: a number with its noun, like `1 run` and `2 runs`. */
export function counted(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}
