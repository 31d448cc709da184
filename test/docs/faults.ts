/** `FAULTS`: the rows of docs/explanation/faults.md by their heading. `LISTED`: what each heading must have a row for. */
import { readPage } from './pages.ts';

export interface FaultRow {
  readonly group: string;
  readonly fault: string;
  readonly injected: string;
  readonly seen: string;
  readonly lost: string;
  readonly proofs: readonly Proof[];
}

export interface Proof {
  /** A file of tests, or a drill. */
  readonly file: string;
  /** A title in it, and for a test of many cases the name of one. */
  readonly titles: readonly string[];
}

export const FAULTS: readonly FaultRow[] = readPage('docs/explanation/faults.md')
  .split(/^## /m)
  .flatMap((part) => {
    const [group = '', ...lines] = part.split('\n');
    return lines.filter((line) => /^\| (?!fault \|)/.test(line)).map((line) => rowOf(group, line));
  });

function rowOf(group: string, line: string): FaultRow {
  const [fault = '', injected = '', seen = '', lost = '', proof = ''] = line.slice(2, -2).split(' | ');
  return { group, fault, injected, seen, lost, proofs: proof.split('<br>').map(proofOf) };
}

function proofOf(text: string): Proof {
  const { file = '', title = '' } = /^`(?<file>[^`]+)`: (?<title>.+)$/.exec(text)?.groups ?? {};
  return { file, titles: title.split(' › ') };
}

export const LISTED: Readonly<Record<string, readonly string[]>> = {
  Agent: [
    'exits 1 at once',
    'exits 0 without work',
    'claims success falsely',
    'silent hang',
    'busy hang',
    'chatty loop',
    'ignores TERM',
    'stopped (SIGSTOP)',
    'setsid child',
    'double fork holding stdout',
    'fork bomb',
    'unkillable',
    'pid reused',
    'killed by OOM',
  ],
  Supervisor: [
    'kill -9 while the agent runs',
    'between record and spawn',
    'between spawn and pid record',
    'at the n-th durable write for every n',
    'during checkpoint',
    'during restore',
    'reboot',
    'two supervisors on one store',
    'stopped for 60 s past its lease',
    'clock jumps an hour either way',
    'laptop sleeps two hours',
  ],
  Storage: [
    'disk full',
    'read-only',
    'fsync error',
    'torn last record at every length',
    'one flipped byte',
    'missing WAL',
    'database locked 30 s',
    'Postgres away 5 min',
    'connection lost during COMMIT',
    'failover that lost a transaction',
  ],
  Flood: ['10 GB of output', 'one 700 MB line', 'unread stderr'],
  Scale: ['16 concurrent runs', '200,000 files', '60,000 changed files with a progress line'],
  Git: [
    'stale lock without holder',
    'stale lock with holder',
    'agent deletes .git',
    'agent deletes the worktree',
    'nested repository',
    'submodule',
    'LFS',
    '5 GB file',
    'FIFO',
    'unreadable file',
    'file changing during the snapshot',
    'rebase in progress',
  ],
  Model: [
    '429',
    '529',
    '401',
    'time-out',
    'truncated JSON',
    'HTML with 200',
    'provider of opinions hangs',
    'provider of opinions floods',
  ],
  People: ['never answer', 'answer twice', 'answer a closed question', 'two at once'],
  Checks: ['hang', 'flake', 'delete themselves'],
  Upgrade: ['old journal with new code', 'unknown event', 'downgrade refused for writing'],
  'Bad input': [
    'empty task',
    'ids with .., /, newline, 300 characters',
    'ids equal after case or Unicode folding',
    '10 MB task text',
    'NUL in arguments',
    'names that begin with -',
    'paths with spaces, quotes, $()',
    'non-UTF-8',
    'workspace /',
    'workspace home',
    'workspace the store itself',
    "workspace another run's tree",
    'workspace a symlink',
    'repository without commits',
    'repository bare',
    'repository shallow',
    'unknown agent',
    'missing binary',
    'check that is not executable',
    'negative budget',
    'huge budget',
    'NaN budget',
    'broken configuration',
    'huge configuration',
    'unknown-key configuration',
    'malformed, truncated, binary agent output',
    'interleaved agent output',
    'BOM or CRLF agent output',
    'unknown event types',
    'usage numbers that go backwards',
    'duplicate events',
    'out-of-order events',
    'a lesson file with broken front matter',
    'a question answered with a foreign option',
    'scenario files with cycles',
    'MCP bodies of the wrong type',
    'MCP bodies too large, too deep',
    'HTTP bodies of the wrong type, too large, too deep',
  ],
  Threats: [
    'secrets in output, logs, prompts, dashboard',
    'redaction across chunk borders',
    'environment leaked to the agent',
    'context poisoning',
    'injection into an opinion',
    'forged evidence',
    'self-approval through CLI',
    'self-approval through API',
    'self-approval through MCP',
    'hostile repository configuration run by us',
    'hostile repository configuration run by the agent CLI',
    'command injection',
    'path traversal',
    'prefix bug',
    'symlink races',
    'DNS rebinding, CSRF',
    'token theft',
    'script injection in the dashboard',
    'terminal escape sequences',
    'bidirectional and zero-width characters',
    'slow patterns',
    'disk exhaustion',
    'memory exhaustion',
    'process exhaustion',
    'ledger tampering',
    'ledger truncation',
    'ledger replacement',
    'stale host acting after lease loss',
    'supply chain',
  ],
  Promises: ['P1', 'P2', 'P3', 'P4', 'P5', 'P6'],
  Measured: [
    'agent output goes to files, not to pipes',
    'a process group is not a container',
    'never "dead" from a time-out',
    "never git with the agent's configuration",
    "a checkpoint's exit status is part of it",
    'restore',
    'worktrees',
    'redact before storing; payloads can be erased',
    'patterns in linear time',
    'localhost is no boundary',
    'stdin, arguments, timers, directories',
    "checks run from the base's copy",
    'a worktree shares .git',
    'programs that buffer look silent',
    'rootless machines',
  ],
  'Once broken': [
    'the door in',
    'who is a person',
    'trust by list',
    'ours because it says so',
    'partial is not complete',
    'redaction at word borders',
    'text into instructions',
    'lost WAL',
    'root leaves its control group',
    'namespaces',
    'silent waits',
    "the suite's judge reads the same record",
  ],
};
