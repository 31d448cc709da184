/** The sink `pr` against a real bare remote and a local forge that speaks the API. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deliverPullRequest } from '../../../src/act/deliver/forge/deliver-pull-request.ts';
import { forgePlace } from '../../../src/act/deliver/forge/forge-api.ts';
import { takeCheckpoint } from '../../../src/act/checkpoint/take-checkpoint.ts';
import {
  gitIn,
  preparedWorkspace,
  temporaryRepository,
  workspaceSpec,
  writeFiles,
} from '../temporary-repository.ts';
import { makeWorkspace } from '../../../src/act/workspace/make-workspace.ts';

interface FakeForge {
  readonly api: string;
  readonly pulls: { head: string; title: string; state: string; url: string }[];
  readonly tokens: string[];
  /** Statuses to answer creations with before one works. */
  readonly failures: number[];
  /** Makes the pull request, then breaks the connection: the answer is lost. */
  loseAnswer: boolean;
}

async function fakeForge(): Promise<FakeForge> {
  const forge: FakeForge = { api: '', pulls: [], tokens: [], failures: [], loseAnswer: false };
  const server = createServer((request, response) => {
    forge.tokens.push(request.headers.authorization ?? '');
    const url = new URL(request.url ?? '/', 'http://forge');
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const json = ({ head, state, url: html_url }: FakeForge['pulls'][number]) => ({
      html_url,
      state: state === 'merged' ? 'closed' : state,
      merged_at: state === 'merged' ? '2026-01-01' : null,
      head: { ref: head },
    });
    if (url.pathname !== '/repos/team/project/pulls') return send(404, { message: 'Not Found' });
    if (request.method === 'GET') {
      const head = url.searchParams.get('head')?.split(':')[1];
      return send(200, forge.pulls.filter((pull) => pull.head === head).map(json));
    }
    const failure = forge.failures.shift();
    if (failure !== undefined) return send(failure, { message: 'try again later' });
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { head, title } = JSON.parse(body) as { head: string; title: string };
      const pull = {
        head,
        title,
        state: 'open',
        url: `http://forge/team/project/pull/${forge.pulls.length + 1}`,
      };
      forge.pulls.push(pull);
      if (!forge.loseAnswer) return send(201, json(pull));
      forge.loseAnswer = false;
      request.socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return Object.assign(forge, { api: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

async function complete() {
  const repository = temporaryRepository({ 'a.txt': 'a\n' });
  const remote = join(repository.folder, 'remotes/team/project');
  mkdirSync(remote, { recursive: true });
  gitIn(remote, 'init', '--quiet', '--bare');
  repository.git('remote', 'add', 'origin', remote);
  const workspace = await makeWorkspace(workspaceSpec(repository));
  writeFiles(workspace.path, { 'new.txt': 'new\n' });
  const { tree } = await takeCheckpoint({ home: repository.home, runId: 'r1', number: 1, reason: 'done' });
  const forge = await fakeForge();
  const spec = {
    home: repository.home,
    runId: 'r1',
    tree,
    message: 'Add login\n\nWith links.',
    at: 1_700_000_000_000,
    branch: 'mayday/r1',
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: repository.folder,
      GH_TOKEN: 'secret-token',
      MAYDAY_FORGE_API: forge.api,
    },
    proof: ['`npm test`: passes'],
    isApproved: () => false,
  };
  return { repository, remote, forge, spec };
}

describe('the sink pull request', () => {
  it('pushes the branch, makes one pull request, and looked at again makes no second one', async () => {
    const { remote, forge, spec } = await complete();
    const first = await deliverPullRequest(spec);
    expect(first).toMatchObject({
      type: 'delivered',
      ref: 'http://forge/team/project/pull/1',
      files: ['new.txt'],
    });
    expect(gitIn(remote, 'show', 'mayday/r1:new.txt')).toBe('new');
    expect(forge.pulls).toMatchObject([{ head: 'mayday/r1', title: 'Add login' }]);
    expect(await deliverPullRequest(spec)).toEqual(first);
    expect(forge.pulls).toHaveLength(1);
  });

  it('that failed after the code was complete is repaired by making just the pull request', async () => {
    const { repository, remote, forge, spec } = await complete();
    forge.failures.push(502);
    const failed = await deliverPullRequest(spec);
    expect(failed).toMatchObject({
      blocker: {
        code: 'delivery_failed',
        resolutions: ['retry', 'fix_sink', 'choose_patch_output', 'abandon'],
        said: [expect.stringContaining('The code is complete on origin/mayday/r1')],
      },
    });
    const pushed = gitIn(remote, 'rev-parse', 'mayday/r1');
    const local = repository.git('rev-parse', 'mayday/r1');
    expect(failed).toMatchObject({ commit: local });
    const again = { ...spec, at: 1_800_000_000_000, earlier: [local] };
    expect(await deliverPullRequest(again)).toMatchObject({ type: 'delivered' });
    expect(gitIn(remote, 'rev-parse', 'mayday/r1')).toBe(pushed);
    expect(repository.git('rev-parse', 'mayday/r1')).toBe(local);
    expect(forge.pulls).toHaveLength(1);
  });

  it('made by a forge whose answer was lost is found, not made twice', async () => {
    const { forge, spec } = await complete();
    forge.loseAnswer = true;
    expect(await deliverPullRequest(spec)).toMatchObject({ blocker: { code: 'delivery_failed' } });
    expect(await deliverPullRequest(spec)).toMatchObject({ type: 'delivered' });
    expect(forge.pulls).toHaveLength(1);
  });

  it('names what stands in the way: no remote, no program and token, refused, closed, other content', async () => {
    const { repository, remote, forge, spec } = await complete();
    const alone = await preparedWorkspace();
    writeFiles(alone.path, { 'n.txt': 'n' });
    const { tree } = await takeCheckpoint({ ...alone, number: 1, reason: 'x' });
    expect(await deliverPullRequest({ ...spec, home: alone.home, tree })).toMatchObject({
      blocker: { code: 'generator_unavailable', resolutions: ['fix_sink', 'choose_patch_output', 'abandon'] },
    });
    const env = { PATH: '/usr/bin:/bin', HOME: repository.folder };
    expect(await deliverPullRequest({ ...spec, env })).toMatchObject({
      blocker: { code: 'generator_unavailable' },
    });
    forge.failures.push(403);
    expect(await deliverPullRequest(spec)).toMatchObject({ blocker: { code: 'sink_not_writable' } });
    forge.pulls.push({
      head: 'mayday/r1',
      title: 'x',
      state: 'closed',
      url: 'http://forge/team/project/pull/9',
    });
    expect(await deliverPullRequest(spec)).toMatchObject({ blocker: { code: 'sink_drifted' } });
    gitIn(remote, 'update-ref', '-d', 'refs/heads/mayday/r1');
    repository.git('push', '-q', 'origin', 'main:mayday/r1');
    repository.write({ 'other.txt': 'o' });
    repository.git('add', '.');
    repository.git('commit', '-qm', 'other');
    repository.git('push', '-q', 'origin', 'main:mayday/r1');
    expect(await deliverPullRequest(spec)).toMatchObject({ blocker: { code: 'sink_drifted' } });
  });

  it('asks before it pushes with a configuration that changed while the agent worked', async () => {
    const { repository, forge, spec } = await complete();
    const planted = join(repository.folder, 'planted.sh');
    writeFileSync(planted, `#!/bin/sh\ntouch ${repository.folder}/was-run\n`);
    chmodSync(planted, 0o755);
    repository.git('config', 'core.sshCommand', planted);
    expect(await deliverPullRequest(spec)).toMatchObject({
      blocker: { code: 'approval_required', source: 'git', files: [expect.stringContaining('config')] },
    });
    expect(forge.pulls).toHaveLength(0);
    expect(await deliverPullRequest({ ...spec, isApproved: () => true })).toMatchObject({
      type: 'delivered',
    });
  });

  it('goes through gh where it is installed', async () => {
    const { repository, spec } = await complete();
    const bin = join(repository.folder, 'bin');
    const log = join(repository.folder, 'gh.log');
    writeFiles(bin, {
      gh: `#!/bin/sh\necho "$@" >> ${log}\ncase "$1 $2" in\n"pr list") test -f ${log}.made && echo '[{"url":"https://forge/pull/7","state":"OPEN"}]' || echo '[]';;\n"pr create") touch ${log}.made; echo 'Warning: see https://docs.forge/x' >&2; echo https://forge/pull/7;;\nesac\n`,
    });
    chmodSync(join(bin, 'gh'), 0o755);
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: repository.folder };
    expect(await deliverPullRequest({ ...spec, env })).toMatchObject({ ref: 'https://forge/pull/7' });
    expect(await deliverPullRequest({ ...spec, env })).toMatchObject({ ref: 'https://forge/pull/7' });
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(log, 'utf8').match(/^pr create/gm)).toHaveLength(1);
  });
});

it('a remote’s address names host, owner and repository in every form', () => {
  const wanted = { host: 'github.com', owner: 'team', name: 'project' };
  for (const url of [
    'git@github.com:team/project.git',
    'https://github.com/team/project',
    'https://user:pw@github.com/team/project.git',
    'ssh://git@github.com:22/team/project.git',
  ])
    expect(forgePlace(url)).toEqual(wanted);
});
