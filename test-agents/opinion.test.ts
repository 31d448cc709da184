/** Every agent CLI, asked for an opinion: it answers, has no tools, keeps no session, and where it cannot answer nothing is lost. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { askOpinion, OPINION_LIMITS } from '../src/agents/opinion/ask-opinion.ts';
import { openProvider } from '../src/agents/opinion/open-provider.ts';
import type { OpinionQuestion } from '../src/core/opinion/opinion-question.ts';
import { readForm, sentence } from '../src/core/opinion/reply.ts';
import type { RunJson } from '../src/core/view/run-json.ts';
import { sampled } from '../test/lane.ts';
import { ModelServer } from '../tools/model-server/model-server.ts';
import type { AgentCli, Rules } from './agent-cli.ts';
import { ALL_CLIS } from './all-clis.ts';
import { Box, runBare } from './bare-cli.ts';
import { installCli } from './install-cli.ts';
import { callMayday, initRepository } from './mayday-cli.ts';

/** A whole run with a CLI of 350 MB on a loaded machine. */
const SLOW_MS = 240_000;

const clean: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of clean.splice(0).toReversed()) await step();
});

const ANSWER: Rules[number] = {
  reply: { text: '{"cause":"no disk"}', input_tokens: 1_200, output_tokens: 40 },
};
const QUESTION: OpinionQuestion<{ cause: string }> = {
  kind: 'diagnose',
  prompt: 'WHY-DID-IT-BREAK? Answer with one JSON object: {"cause": "one sentence"}',
  check: (reply) => {
    const answer = readForm(reply, { cause: sentence(100) });
    return typeof answer === 'string' ? answer : { answer, quotes: [], checked: [], confidence: 0.5 };
  },
};

/** The scripted model behind a listener that keeps each request. */
async function listened(rules: Rules): Promise<{ url: string; requests: string[] }> {
  const model = await ModelServer.start({ rules });
  const requests: string[] = [];
  const proxy = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (body !== '') requests.push(body);
      const init = { method: request.method ?? 'GET', headers: { 'content-type': 'application/json' } };
      fetch(`${model.url}${request.url}`, body === '' ? init : { ...init, body }).then(
        async (answer) => {
          response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
          response.end(Buffer.from(await answer.arrayBuffer()));
        },
        () => response.destroy(),
      );
    });
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  clean.push(
    () => model.close(),
    () => {
      proxy.closeAllConnections();
      return new Promise((closed) => proxy.close(closed));
    },
  );
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, requests };
}

async function boxOf(cli: AgentCli, rules: Rules) {
  const { url, requests } = await listened(rules);
  const box = new Box(cli, url);
  clean.push(() => box.remove());
  const sessions = () =>
    globSync(cli.sessions, { cwd: box.root }).map((file) => [
      file,
      readFileSync(join(box.root, file), 'latin1'),
    ]);
  const ask = async (env: Readonly<Record<string, string>> = {}) => {
    const choice = {
      type: 'agent',
      name: cli.adapter.name,
      command: [installCli(cli)],
      model: null,
    } as const;
    const around = { env: { ...box.env, ...env }, passed: [], cwd: null, cover: () => ({}) };
    const provider = openProvider(choice, around);
    if (typeof provider === 'string') return expect.fail(provider);
    const begun = performance.now();
    const outcome = await askOpinion(QUESTION, provider, OPINION_LIMITS, new AbortController().signal);
    return { outcome, seconds: (performance.now() - begun) / 1_000 };
  };
  return { box, requests, sessions, ask };
}

/** A run in circles takes a minute with some: the others are played with --all. */
const MOST_CIRCLING = 2;
const ASKABLE = ALL_CLIS.map(({ cli }) => cli).filter(({ adapter }) => adapter.opinionCall !== undefined);

const CIRCLING = sampled(ASKABLE, MOST_CIRCLING);

describe.each(ASKABLE.map((cli) => [`${cli.title} ${cli.version}`, cli] as const))('%s', (_, cli) => {
  it('answers without a tool, though the person gave it servers, and tells what it took', async () => {
    const { box, requests, ask } = await boxOf(cli, [ANSWER]);
    const served = join(box.root, 'served');
    for (const [path, content] of Object.entries(cli.withServer?.(served) ?? {})) {
      const file = join(box.root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content, { flag: 'a' });
    }
    const { outcome, seconds } = await ask();
    expect(outcome).toMatchObject({
      type: 'answered',
      opinion: { by: cli.adapter.name, answer: { cause: 'no disk' }, tokens: 1_240 },
    });
    const asked = requests.filter((body) => body.includes('WHY-DID-IT-BREAK'));
    expect(asked).toHaveLength(1);
    expect(toolsIn(asked[0] ?? '')).toEqual([]);
    expect(asked[0]?.length).toBeLessThan(6_000);
    expect(box.alive).toEqual([]);
    process.stdout.write(
      `opinion of ${cli.title} ${cli.version}: ${seconds.toFixed(1)} s, ${asked[0]?.length} bytes, ${JSON.stringify(outcome)}\n`,
    );
  });

  it('keeps no session, and that of the run stays as it was', async () => {
    const { box, sessions, ask } = await boxOf(cli, [ANSWER]);
    await runBare(box, { command: installCli(cli), brief: 'Say something.' });
    const before = sessions();
    expect(before.length).toBeGreaterThan(0);
    await ask();
    expect(sessions()).toEqual(before);
  });

  it('is not believed where its model called a tool, which did not run', async () => {
    const { box, ask } = await boxOf(cli, [
      {
        when: { tool_result: false, turn: 1 },
        reply: { text: 'I look.', tools: [cli.shell(`touch ${join('..', 'TOUCHED')}`)] },
      },
      ANSWER,
    ]);
    const { outcome } = await ask();
    if (cli.hidesUnknownCalls !== true) expect(outcome.type).toBe('unanswered');
    expect(globSync('**/TOUCHED', { cwd: dirname(box.root) })).toEqual([]);
  });

  it('that has no login, or no model, is no answer within the deadline', async () => {
    const refused = await boxOf(cli, [{ fault: { type: 'status', status: 401, message: 'no login' } }]);
    expect((await refused.ask()).outcome).toMatchObject({ type: 'unanswered' });
  });
});

const WORK = (cli: AgentCli) => ({ text: 'I work.', tools: [cli.shell("printf 'hello' > out.txt")] });
const TASK = 'Write hello to out.txt';

/** The check read this file before the work, so the run asks what belongs to the change. */
async function wholeRun(cli: AgentCli, opinion: Rules[number], work: Rules = []) {
  const { box, requests } = await boxOf(cli, [
    { ...opinion, when: { any_includes: 'Two questions about the change' } },
    ...work,
    { when: { tool_result: false }, reply: WORK(cli) },
    { reply: { text: 'All done.' } },
  ]);
  initRepository(box);
  writeFileSync(join(box.repo, 'out.txt'), 'nothing');
  const commit = 'git add -A && git -c user.name=t -c user.email=t@localhost commit -q -m file';
  expect(spawnSync('sh', ['-c', commit], { cwd: box.repo, env: box.env }).status).toBe(0);
  const policy = 'policy: {nudge_wait_ms: 0, backoff_ms: 1000, stop_soft_ms: 4000, stop_term_ms: 2000}\n';
  const permissions = `permissions: ${JSON.stringify(cli.permissions ?? [])}\n`;
  writeFileSync(join(box.root, 'mayday/mayday.yaml'), policy + permissions);
  const programs = [installCli(cli)];
  const args = ['run', '--json', '--agent', cli.adapter.name, '--max-wait', '200s'];
  const ran = await callMayday(box, programs, [...args, '--check', 'grep -q hello out.txt', TASK]);
  const run = JSON.parse(ran.stdout || expect.fail(ran.stderr)) as RunJson;
  const { stdout: shown } = await callMayday(box, programs, ['show', run.run_id]);
  return { run, shown, requests };
}

const NOTHING_FOREIGN: Rules[number] = {
  reply: { text: '{"files":[],"confidence":0.8}', input_tokens: 2_100, output_tokens: 30 },
};
/** Of the entries that it names some hold the words; the others are dropped. */
const STORY = {
  stuck: 'stuck',
  since_entry: 1,
  cause: 'the file that it reads was never made',
  next_step: 'write the file first',
  quotes: [2, 3, 4, 5].map((entry) => ({ entry, text: 'missing.txt' })),
  claims: [],
  confidence: 0.9,
};
const CIRCLES = (cli: AgentCli): Rules => [
  { when: { any_includes: 'This is an extract of the record' }, reply: { text: JSON.stringify(STORY) } },
  { when: { tool_result: false, last_user_includes: STORY.cause }, reply: WORK(cli) },
  { when: { any_includes: STORY.cause }, reply: { text: 'All done.' } },
  { reply: { tools: [cli.shell('cat missing.txt')], delay_ms: 1_000 } },
];

describe.each(ASKABLE.map((cli) => [`${cli.title} ${cli.version}`, cli] as const))(
  'a run of %s',
  (_, cli) => {
    it(
      'asks its own CLI; the question, its answer and its cost are in the record and in every view',
      async () => {
        const { run, shown } = await wholeRun(cli, NOTHING_FOREIGN);
        const opinion = { by: cli.adapter.name, kind: 'belongs', confidence: 0.8 };
        expect(run).toMatchObject({
          attempts: [{ number: 1 }],
          opinion,
          opinions: [{ by: cli.adapter.name, attempt: 1, opinion }],
        });
        expect(run.opinions_cost_usd).toBe(run.opinions[0]?.opinion?.cost_usd ?? 0);
        expect(shown).toContain(`opinion of ${cli.adapter.name}, 0 quotes found in the record`);
      },
      SLOW_MS,
    );

    it.runIf(CIRCLING.includes(cli))(
      'that went round in circles is explained by its own CLI, quoted in every view and in the brief of the next attempt',
      async () => {
        const { run, shown, requests } = await wholeRun(cli, NOTHING_FOREIGN, CIRCLES(cli));
        expect(run.attempts).toHaveLength(2);
        const story = run.opinions.find(({ kind }) => kind === 'story');
        expect(story).toMatchObject({ by: cli.adapter.name, opinion: { answer: { cause: STORY.cause } } });
        expect(story?.opinion?.quotes.length).toBeGreaterThan(0);
        expect(shown).toContain(`opinion of ${cli.adapter.name}`);
        expect(shown).toContain(STORY.cause);
        const briefs = requests.filter((body) => body.includes(TASK) && body.includes(STORY.cause));
        expect(briefs.length).toBeGreaterThan(0);
      },
      SLOW_MS,
    );

    it(
      'goes on as without where the model refuses to be asked',
      async () => {
        const { run, shown } = await wholeRun(cli, {
          fault: { type: 'status', status: 401, message: 'no login' },
        });
        expect(run).toMatchObject({
          attempts: [{ number: 1 }],
          opinion: null,
          no_opinion: expect.stringContaining(cli.adapter.name) as string,
          checks: expect.arrayContaining([
            expect.objectContaining({ purpose: 'gate', passed: true }),
          ]) as unknown,
        });
        expect(shown).toContain(`no opinion of ${cli.adapter.name}`);
      },
      SLOW_MS,
    );
  },
);

function toolsIn(body: string): readonly unknown[] {
  const { tools = [] } = JSON.parse(body) as {
    tools?: readonly { functionDeclarations?: readonly unknown[] }[];
  };
  return tools.flatMap((tool) => tool.functionDeclarations ?? [tool]);
}
