/** `listenToKeys`: hears single keys beside a live view. Ctrl-C, Ctrl-Z and Ctrl-\ do what they do without it. */

const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = {
  '\u0003': 'SIGINT',
  '\u001A': 'SIGTSTP',
  '\u001C': 'SIGQUIT',
};

/** Returns what ends it and gives the terminal back. */
export function listenToKeys(keys: Readonly<Record<string, () => void>>): () => void {
  const { stdin } = process;
  const hear = (bytes: Buffer) => {
    for (const key of bytes.toString()) {
      const signal = SIGNALS[key];
      // As the terminal does it: to every process of the job.
      if (signal !== undefined) process.kill(0, signal);
      else keys[key]?.();
    }
  };
  const again = () => {
    stdin.setRawMode(false);
    stdin.setRawMode(true);
  };
  stdin.setRawMode(true);
  stdin.on('data', hear).resume();
  process.on('SIGCONT', again);
  return () => {
    process.off('SIGCONT', again);
    stdin.off('data', hear).pause();
    stdin.setRawMode(false);
  };
}
