import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { zip } from '../cli/learn/zip.ts';
import { inBox } from '../e2e/box.ts';
import { playAction } from './runner.ts';

const FAILED = [
  '##[group]Run npm test',
  'npm test',
  '##[endgroup]',
  'Error: connect ECONNREFUSED 127.0.0.1:5432',
  '##[error]Process completed with exit code 1.',
];
const LOG = FAILED.map((line, at) => `2026-03-04T10:11:0${at}.0000971Z ${line}\n`).join('');

interface Github {
  readonly api: string;
  readonly comments: { id: number; body: string }[];
  /** Who asked for what with which token. */
  readonly asked: string[];
}

/** Answers as the API does: logs by a redirect to another place, comments by their number. */
async function github(): Promise<Github> {
  const seen: Github = { api: '', comments: [], asked: [] };
  const server = createServer((request, response) => {
    seen.asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const json = (status: number, answer: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      const path = request.url ?? '';
      if (path === '/repos/team/project/actions/runs/77/logs')
        return response.writeHead(302, { location: `http://127.0.0.1:${port()}/archive` }).end();
      if (path === '/archive') return response.end(zip({ 'test/1_Run npm test.txt': LOG }));
      const [, edited] = /^\/repos\/team\/project\/issues\/comments\/(\d+)$/.exec(path) ?? [];
      if (edited !== undefined && request.method === 'PATCH') {
        const comment = seen.comments.find(({ id }) => id === Number(edited));
        if (comment !== undefined) comment.body = (JSON.parse(body) as { body: string }).body;
        return json(200, comment);
      }
      if (!path.startsWith('/repos/team/project/issues/5/comments'))
        return json(404, { message: 'Not Found' });
      if (request.method === 'GET') return json(200, seen.comments);
      seen.comments.push({ id: seen.comments.length + 1, ...(JSON.parse(body) as { body: string }) });
      return json(201, seen.comments.at(-1));
    });
  });
  const port = () => (server.address() as AddressInfo).port;
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  onTestFinished(() => new Promise((settle) => server.close(() => settle())));
  return Object.assign(seen, { api: `http://127.0.0.1:${port()}` });
}

describe('the action in a runner', () => {
  it('runs an agent, proves its work, and tells it by outputs, summary and one comment; the token stays away from the agent', () =>
    inBox(async (box) => {
      const { api, comments, asked } = await github();
      const inputs = {
        task: 'write a.txt & tell @everyone',
        command: "env > a.txt; echo '```'",
        checks: 'test -f a.txt\ntest -s a.txt\n',
        comment: '5',
      };
      const { exitCode, outputs, summary, log } = await playAction(box, inputs, { GITHUB_API_URL: api });
      expect({ exitCode, log }).toMatchObject({ exitCode: 0 });
      expect(outputs).toMatchObject({ state: 'delivered', ref: `mayday/${outputs['run']}` });
      expect(summary).toContain('### Mayday: delivered');
      expect(summary).toContain('check `test -s a.txt`: passed');
      expect(summary.split('<details>')[0], 'nobody is called').not.toContain('@everyone');
      expect(box.git('show', `mayday/${outputs['run']}:a.txt`), 'the agent').not.toContain('the-token');
      await playAction(box, { ...inputs, command: 'env > b.txt; date > a.txt' }, { GITHUB_API_URL: api });
      expect(comments, 'the second takes the place of the first').toHaveLength(1);
      expect(comments[0]?.body).toContain('### Mayday: delivered');
      expect(asked.filter((line) => line.startsWith('PATCH'))).toHaveLength(1);
      expect(asked.every((line) => line.endsWith('Bearer the-token'))).toBe(true);
    }));

  it('a run that needs a person ends with its exit code, a warning and the question', () =>
    inBox(async (box) => {
      const inputs = {
        task: 'write a',
        command: 'echo x > a.txt; echo y > b.txt',
        checks: 'test -f a.txt',
        scope: 'a.txt',
      };
      const { exitCode, log, summary } = await playAction(box, inputs);
      expect({ exitCode, log }).toMatchObject({ exitCode: 3 });
      expect(log).toMatch(/^::warning title=Mayday%3A run \S+ needs you::.*b\.txt/m);
      expect(summary).toContain('b.txt');
    }));

  it('diagnoses the logs of a failed workflow run, and a file', () =>
    inBox(async (box) => {
      const { api, asked } = await github();
      const archive = await playAction(box, { 'run-id': '77' }, { GITHUB_API_URL: api });
      expect(archive).toMatchObject({ exitCode: 0, outputs: { 'failure-type': 'network_failure' } });
      expect(archive.log).toMatch(/^::error title=Mayday%3A network failure::.*127\.0\.0\.1/m);
      expect(archive.summary).toContain('where: `test · npm test');
      expect(asked[0]).toContain('GET /repos/team/project/actions/runs/77/logs Bearer the-token');
      writeFileSync(join(box.repository, 'add.py'), 'def add(a, b):\n    return a - b\n');
      writeFileSync(
        join(box.folder, 'log.txt'),
        'Traceback (most recent call last):\n  File "add.py", line 2, in add\nNameError: name \'x\' is not defined\n',
      );
      const file = await playAction(box, { log: join(box.folder, 'log.txt') });
      expect(file.log).toMatch(/^::error file=add\.py,line=2,title=/m);
    }));

  it('without a task and without a log says what it needs; logs that are not there are an error with advice', () =>
    inBox(async (box) => {
      expect(await playAction(box, {})).toMatchObject({
        exitCode: 2,
        log: expect.stringContaining('::error') as string,
      });
      const { api } = await github();
      const missing = await playAction(box, { 'run-id': '78' }, { GITHUB_API_URL: api });
      expect(missing).toMatchObject({
        exitCode: 1,
        log: expect.stringContaining('GITHUB_LOGS_MISSING') as string,
      });
    }));
});
