/** A secret stands in forty places of a day with Mayday; no file of the home, no command and no page shows one. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { ROUTES } from '../../src/http/routes.ts';
import { type Box, inBox } from './box.ts';

/** Tokens that say where they stood. */
class Planted {
  readonly #places = new Map<string, string>();

  at(place: string): string {
    const known = this.#places.get(place);
    if (known !== undefined) return known;
    const token = `ghp_aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW${String(this.#places.size).padStart(4, '0')}Zz0`;
    this.#places.set(place, token);
    return token;
  }

  get count(): number {
    return this.#places.size;
  }

  /** The places whose token stands in the text, whatever its colour. */
  leaksIn(text: string): string[] {
    const plain = stripVTControlCharacters(text);
    const known = [...this.#places, ['a value given by --env', GIVEN]] as const;
    return known.flatMap(([place, token]) => (plain.includes(token.slice(4)) ? [place] : []));
  }
}

/** No form gives it away: Mayday knows the value. */
const GIVEN = 'correct-horse-7714-battery';

/** Raises the blocker flag, then delivers red work, then what was asked. */
function agentScript(at: (place: string) => string): string {
  const colour = at('output: coloured in the middle');
  const cut = at('output: written in two pieces');
  const call = {
    type: 'tool_use',
    id: 't1',
    name: 'Bash',
    input: { command: `curl -u me:${at('call: input')}` },
  };
  const result = {
    type: 'tool_result',
    tool_use_id: 't1',
    content: `401 ${at('call: result')}`,
    is_error: true,
  };
  const event = (type: string, content: unknown) =>
    JSON.stringify({ type, session_id: 's', message: { role: type, content: [content] } });
  const blocker = {
    reason: `no access with ${at('blocker: reason')}`,
    question: `is ${at('blocker: question')} right?`,
    options: [`take ${at('blocker: option')}`],
  };
  return `
echo 'plain ${at('output: stdout')}'
echo 'error ${at('output: stderr')}' >&2
printf 'red \\033[31m${colour.slice(0, 12)}\\033[0m${colour.slice(12)}\\n'
printf '%s' '${cut.slice(0, 9)}'; sleep 0.3; printf '%s\\n' '${cut.slice(9)}'
echo '${Buffer.from(`x ${at('output: base64')} x`).toString('base64')}'
echo 'https://x.test/?t=${at('output: address')}' 'Cookie: sid=${at('output: cookie')}'
echo '${event('assistant', call)}'
echo '${event('user', result)}'
echo '${event('assistant', { type: 'text', text: `I saw ${at('message of the agent')}` })}'
echo "given $GIVEN_TOKEN"
echo '{"kind":"note","text":"note ${at('note')}"}' >> "$MAYDAY_NOTES"
echo '{"completed":["did ${at('checkpoint note: completed')}"],"missing":["${at('checkpoint note: missing')}"]}' > "$MAYDAY_CHECKPOINT"
case $MAYDAY_ATTEMPT in
1) echo '${JSON.stringify(blocker)}' > "$MAYDAY_BLOCKER"; exit 3 ;;
2) echo work > made.txt
   git -c user.name='N ${at('commit: author')}' -c user.email=t@localhost commit --quiet --allow-empty \\
     -m 'fix ${at('commit: subject')}' -m 'Body ${at('commit: body')}'
   git branch 'b-${at('branch')}'; echo 'done with ${at('claim')}' ;;
*) echo work > made.txt; touch ready ;;
esac`;
}

it('no secret of forty places is in the record, a brief, a log, a lesson, a report, a page or the terminal', () =>
  inBox(async (box) => {
    box.policy({ restarts: 0 });
    const planted = new Planted();
    const at = (place: string) => planted.at(place);
    const script = join(box.folder, 'agent.sh');
    writeFileSync(script, agentScript(at));
    writeFileSync(join(box.folder, 'variables'), `OTHER_TOKEN=${at('--env-file')}\n`);
    const shown: { readonly by: string; readonly text: string }[] = [];
    const call = async (exitCode: number, ...args: string[]): Promise<string> => {
      const called = await box.call(...args);
      expect(called.exitCode, `mayday ${args.join(' ')}\n${called.stdout}${called.stderr}`).toBe(exitCode);
      shown.push({ by: `mayday ${args[0]}`, text: called.stdout + called.stderr });
      return called.stdout;
    };
    const question = async () => (JSON.parse(await call(0, 'inbox', '--json')) as [{ id: string }])[0].id;

    const check = `echo '${at('check: stdout')}'; echo '${at('check: stderr')}' >&2; test -f ready`;
    const given = ['--env', `GIVEN_TOKEN=${GIVEN}`, '--env-file', join(box.folder, 'variables')];
    const task = `do it with ${at('task')}`;
    const agent = ['sh', script, `--key=${at('argument of the agent')}`];
    await call(3, 'run', '--check', check, ...given, task, '--', ...agent);
    await call(0, 'answer', await question(), 'answer_question', '--note', `use ${at('answer')}`);
    await box.until('the second question', async () => (await box.show()).state === 'waiting');
    const spec = join(box.folder, 'spec.md');
    writeFileSync(spec, `rule: ${at('file of a rescue')}\n`);
    const cause = ['--category', 'missing_context', '--root-cause', `lost ${at('rescue: cause')}`];
    const inject = ['--inject', `take ${at('rescue: words')}`, '--note', at('rescue: note'), '--file', spec];
    await call(0, 'rescue', '@', ...cause, ...inject, '--owner', `ann ${at('rescue: owner')}`);
    await box.until('delivered', async () => (await box.show()).state === 'delivered');
    const [mission] = (await box.show())['missions'] as [{ id: string }];
    await call(0, 'missions', 'close', mission.id, '--reason', `none ${at('mission: reason')}`);
    const lesson = ['--title', `L ${at('lesson: title')}`, '--guidance', `say ${at('lesson: guidance')}`];
    const added = await call(
      0,
      'context',
      'add',
      '--json',
      ...lesson,
      '--words',
      at('lesson: words'),
      '--command',
      at('lesson: command'),
    );
    const { id: lessonId } = JSON.parse(added) as { id: string };
    await call(0, 'context', 'approve', lessonId, '--note', `good ${at('lesson: why')}`);

    const bob = ['--task', `t-${at('bus: task')}`, '--agent', `bob-${at('bus: agent')}`];
    await call(0, 'bus', 'publish', ...bob, '--status', 'FAILED', '--error', `E ${at('bus: error')}`);
    await call(0, 'bus', 'publish', '--type', 'CRITICAL', ...bob, '--reason', `R ${at('bus: reason')}`);
    await call(0, 'run', '--detach', `second ${at('task of another run')}`, '--', 'sleep', '60');
    await box.until('it works', async () => (await box.show()).state === 'working');
    await call(0, 'flag', '@', '--reason', `because ${at('flag')}`);
    await box.until('it asks', async () => (await box.show()).state === 'waiting');
    await call(0, 'abandon', '@', '--reason', `enough ${at('abandon: reason')}`);

    for (const words of [...LOOKS, ['context', 'show', lessonId]]) await call(0, ...words);
    shown.push(...(await pagesOf(box)));
    const stored = [...files(box.home), ...files(join(box.repository, '.mayday'))].map((path) => ({
      by: relative(box.folder, path),
      text: readFileSync(path, 'utf8'),
    }));
    const leaks = [...shown, ...stored].flatMap(({ by, text }) =>
      planted.leaksIn(text).map((place) => `${by}: ${place}`),
    );
    expect([...new Set(leaks)]).toEqual([]);
    expect(planted.count).toBeGreaterThanOrEqual(40);
  }));

const LOOKS = [
  ['ps', '--all'],
  ['ps', '--json'],
  ['ps', '--alerts'],
  ['status', '@'],
  ['show', '@', '--brief'],
  ['show', '@', '--json'],
  ['logs', '@'],
  ['logs', '@', '--keeper'],
  ['checkpoints', '@'],
  ['ledger', '@'],
  ['inbox'],
  ['missions'],
  ['agents'],
  ['bus'],
  ['context', 'ls'],
  ['context', 'why', '@'],
  ['sync'],
  ['report'],
  ['report', '--format', 'html'],
  ['report', '--format', 'csv'],
  ['verify'],
];

/** What the desk answers to a program of the person: every route that only reads. */
async function pagesOf(box: Box): Promise<{ readonly by: string; readonly text: string }[]> {
  const { child, done } = box.start(['serve', '--port', '0', '--json']);
  let line = '';
  child.stdout?.on('data', (piece: Buffer) => (line += piece.toString()));
  await box.until('the desk listens', () => line.includes('\n'));
  const { url, token_file: file } = JSON.parse(line) as { url: string; token_file: string };
  const headers = { authorization: `Bearer ${readFileSync(file, 'utf8').trim()}` };
  const runs = JSON.parse(await box.call('ps', '--all', '--json').then(({ stdout }) => stdout)) as {
    run_id: string;
  }[];
  const paths = ROUTES.filter(({ method, path }) => method === 'GET' && !path.includes('session'))
    .flatMap(({ path }) =>
      path.includes(':run') ? runs.map((run) => path.replace(':run', run.run_id)) : [path],
    )
    .filter((path) => !path.includes(':'));
  const pages = await Promise.all(
    paths.map(async (path) => ({
      by: path,
      text: await (await fetch(new URL(path, url), { headers })).text(),
    })),
  );
  child.kill('SIGTERM');
  await done;
  return pages;
}

/** Not looked at: the key, and what belongs to the work itself (its files, its git objects, files that a person gave it). */
const WORK = new Set(['keys', 'objects', 'quarantine', 'rescue-files', 'work']);

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return WORK.has(entry.name) ? [] : files(path);
    return entry.isFile() ? [path] : [];
  });
}
