/** `recordView`: plays demo/recorded-view.yaml under the real `mayday run` on a pseudo-terminal, and draws what a person saw. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawScreens, type Moment, momentOf } from './draw-screen.ts';
import { TerminalScreen } from './terminal-screen.ts';

const FOLDER = join(import.meta.dirname, '../..');
const ROWS = 30;
const TEST = 'sleep 1.2; echo "FAIL upload.test.ts: connect ECONNREFUSED 127.0.0.1:9000"; exit 1\n';
const POLICY =
  'stop_soft_ms: 500, stop_term_ms: 500, backoff_ms: 2500, snapshot_every_ms: 1000, loop_warn: 3, loop_stop: 6';

export async function recordView(columns: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-view-'));
  try {
    const moments = await record(folder, columns);
    return drawScreens(moments, columns, ROWS, `The living view of mayday run at ${columns} columns`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function record(folder: string, columns: number): Promise<readonly Moment[]> {
  const home = join(folder, 'home');
  const repository = join(folder, 'shop');
  mkdirSync(home);
  writeFileSync(join(home, 'mayday.yaml'), `policy: { ${POLICY} }\n`);
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', repository]);
  mkdirSync(join(repository, 'test'));
  writeFileSync(join(repository, 'test/upload.sh'), TEST);
  execFileSync('git', ['add', '--all'], { cwd: repository });
  const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@localhost'];
  execFileSync('git', [...identity, 'commit', '--quiet', '-m', 'first'], {
    cwd: repository,
  });
  const command = [
    `stty cols ${columns} rows ${ROWS};`,
    `exec '${process.execPath}' '${join(FOLDER, 'bin/mayday.js')}' run --name upload --budget-usd 0.7`,
    `--script '${join(FOLDER, 'demo/recorded-view.yaml')}' --check 'grep -q 9443 src/upload.conf'`,
    `'make the upload test pass'`,
  ].join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: repository,
    env: {
      ...process.env,
      MAYDAY_HOME: home,
      SHELL: '/bin/sh',
      TERM: 'xterm-256color',
      CI: '',
      NO_COLOR: '',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const screen = new TerminalScreen(columns);
  const moments: Moment[] = [];
  const begun = performance.now();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    // A reader's machine has another folder.
    screen.write(text.replaceAll(folder, '~'));
    moments.push(momentOf(screen, ROWS, performance.now() - begun));
    if (text.includes('your decision')) child.stdin.write('\n');
  });
  await new Promise((settle) => child.once('close', settle));
  return moments;
}
