/** A program to its end, both streams in one text. */
import { spawn } from 'node:child_process';

export function runWithOutput(
  [command = '', ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly input?: string },
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const child = spawn(command, args, { cwd: options.cwd, env: options.env, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stdin.end(options.input ?? '');
  return new Promise((settle, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => settle({ exitCode, output }));
  });
}
