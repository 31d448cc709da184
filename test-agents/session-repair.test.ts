import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resumableSession } from '../src/act/attempt/resumable-session.ts';
import { ModelServer, type RecordedRequest } from '../tools/model-server/model-server.ts';
import {
  ASKED,
  BEYOND_REPAIR,
  type Damage,
  REFUSED_BY_MODEL,
  REPAIRED,
  type Store,
  STORES,
} from '../test/agents/session-damage.ts';
import { sampled } from '../test/lane.ts';
import { Box, runBare } from './bare-cli.ts';
import { CLAUDE_VERSIONS, claudeCli } from './claude-cli.ts';
import { codexCli } from './codex-cli.ts';
import { geminiCli } from './gemini-cli.ts';
import { installCli } from './install-cli.ts';
import { lostHistory } from './lost-history.ts';

/** A start of a CLI of 350 MB on a loaded machine. */
const SLOW_MS = 240_000;
/** Of each CLI; `npm run test:agents -- --all` plays every one. */
const SAMPLE = 2;
const QUESTION = 'Do you remember?';
/** With which a whole session of the story is resumed; a lost line may cost one of them. */
const TURNS = 5;
/** What the model cannot be told again, because the damage took it. All other damages cost nothing. */
const COSTS: Readonly<Record<string, RegExp>> = {
  'the line of a call is cut': /ONE|I look first/,
  'the line of a result is cut': /ONE/,
  'two lines are glued together': /ONE|TWO/,
  'a block of null bytes replaced a result': /ONE/,
  'half a character in an answer': /I look/,
  'the other half of a character in a result': /TWO/,
  'a call without its result': /ONE/,
  'a result without its call': /ONE|I look first/,
};

const damages: readonly (readonly [name: string, damage: Damage, isRefused: boolean])[] = [
  ...Object.entries(REPAIRED).map(([name, damage]) => [name, damage, false] as const),
  ...Object.entries(REFUSED_BY_MODEL).map(([name, damage]) => [name, damage, true] as const),
];

describe.each([...CLAUDE_VERSIONS.map(claudeCli), codexCli, geminiCli])(
  '$title $version with a damaged session',
  (cli) => {
    const store = STORES.find(({ name }) => name === cli.adapter.name) as Store;
    const start = {
      command: installCli(cli),
      permissions: { allowedTools: cli.permissions ?? [] },
      timeoutMs: SLOW_MS / 2,
    };
    let server: ModelServer;
    let box: Box;
    let path: string;
    let lines: readonly string[];
    let agentSession: string;
    let before: RecordedRequest;

    beforeAll(async () => {
      server = await ModelServer.start({
        rules: [
          {
            name: 'knows its past',
            when: { last_user_includes: QUESTION, any_includes: 'Now the file.', turn_at_least: TURNS - 1 },
            reply: { text: 'I remember.' },
          },
          { when: { turn: 1 }, reply: { text: 'I look first.', tools: [cli.shell('printf MARK-%s ONE')] } },
          { when: { turn: 2 }, reply: { tools: [cli.shell('printf MARK-%s TWO')] } },
          { when: { turn: 3 }, reply: { text: 'Now the file.', tools: [cli.write('out.txt', 'hello')] } },
          { when: { turn: 4 }, reply: { text: 'All done: out.txt is written.' } },
        ],
      });
      box = new Box(cli, server.url);
      agentSession = (await runBare(box, { ...start, brief: ASKED })).agentSession;
      before = server.requests.findLast(({ turn }) => turn === TURNS - 1) as RecordedRequest;
      path = join(box.root, globSync(cli.sessions, { cwd: box.root })[0] ?? '');
      lines = readFileSync(path, 'utf8').trim().split('\n');
    }, SLOW_MS);
    afterAll(async () => {
      box.remove();
      await server.close();
    });

    /** Its copies go before the next damage is looked at. */
    async function look(damaged: readonly string[], isRefused: boolean) {
      const text = damaged.length === 0 ? '' : `${damaged.join('\n')}\n`;
      for (const file of globSync(cli.sessions, { cwd: box.root })) rmSync(join(box.root, file));
      writeFileSync(path, text);
      const session = { agentSession, isRefused, workspace: box.repo, env: box.env };
      return { text, ...(await resumableSession(cli.adapter, session)) };
    }

    it.each(sampled(damages, SAMPLE))(
      '%s: it goes on with a mended copy, the model sees its history again, the original stays',
      async (name, damage, isRefused) => {
        const { text, agentSession: copy, why } = await look(damage(lines, store), isRefused);
        expect(why).toContain('mended on a copy: ');
        const again = await runBare(box, {
          ...start,
          mode: 'resume',
          agentSession: copy ?? '',
          brief: QUESTION,
        });
        expect(again, again.unknown.join('\n')).toMatchObject({ exitCode: 0 });
        const last = server.requests.at(-1);
        expect(last).toMatchObject({ rule: 'knows its past' });
        expect(last?.turn).toBeLessThanOrEqual(TURNS);
        const lost = lostHistory(before, last as RecordedRequest);
        expect(lost.filter((told) => COSTS[name]?.test(told) !== true)).toEqual([]);
        expect(readFileSync(path, 'utf8')).toBe(text);
      },
      SLOW_MS,
    );

    it.each(Object.entries(BEYOND_REPAIR))(
      '%s: refused with the reason, the original stays',
      async (_, [damage, reason]) => {
        const { text, agentSession: copy, why } = await look(damage(lines, store), false);
        expect({ copy, why }).toEqual({ copy: null, why: expect.stringContaining(reason) });
        expect(readFileSync(path, 'utf8')).toBe(text);
      },
    );
  },
);
