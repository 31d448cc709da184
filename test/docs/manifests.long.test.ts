/** The manifests for Kubernetes fit the schemas, and what they name is what Mayday has. The first call installs the schemas. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { FIGURES } from '../../src/supervise/fleet-figures.ts';
import { keysFolder } from '../../src/supervise/mail/person-key.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const text = readFileSync(join(ROOT, 'docs/examples/fleet/kubernetes.yaml'), 'utf8');
const containerfile = readFileSync(join(ROOT, 'docs/examples/fleet/Containerfile'), 'utf8');
const documents = parseAllDocuments(text).map((one) => one.toJS());
const [, hosts, config, metrics, , scaled] = documents;

function checked(manifests?: string): { readonly status: number | null; readonly stdout: string } {
  const script = join(ROOT, 'scripts/check-manifests.ts');
  const args = manifests === undefined ? [] : [manifests];
  return spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
}

it('the manifests fit the schemas; a field that does not exist and a wrong value are told', () => {
  expect(checked()).toMatchObject({ status: 0, stdout: 'check:manifests: 6 manifests, 0 problems\n' });
  const folder = mkdtempSync(join(tmpdir(), 'mayday-manifests-'));
  const wrong = join(folder, 'wrong.yaml');
  writeFileSync(wrong, text.replace('minReplicaCount: 1', 'minReplicaCount: one').replace('env:', 'envs:'));
  const { status, stdout } = checked(wrong);
  rmSync(folder, { recursive: true });
  expect(status).toBe(1);
  expect(stdout).toMatch(/'"envs"' does not exist in type 'IContainer'/);
  expect(stdout).toMatch(/ScaledObject: .*minReplicaCount must be integer/);
});

it('the pods get the store and a home that stays, as the user of the container file', () => {
  expect(documents.map(({ kind }) => kind)).toEqual([
    'Cluster',
    'StatefulSet',
    'ConfigMap',
    'Deployment',
    'Service',
    'ScaledObject',
  ]);
  const home = { name: 'home', mountPath: '/home/mayday' };
  for (const { spec } of [hosts.spec.template, metrics.spec.template]) {
    const [container] = spec.containers;
    expect(container.env.map(({ name }: { name: string }) => name)).toContain('MAYDAY_STORE');
    expect(container.volumeMounts).toEqual([home]);
    expect(containerfile).toContain(`--uid ${spec.securityContext.runAsUser} mayday`);
    expect(spec.securityContext.fsGroup).toBe(spec.securityContext.runAsUser);
  }
  expect(hosts.spec.volumeClaimTemplates[0].metadata.name).toBe(home.name);
});

it('the queue is scraped with the token of the desk, and counts the runs that a host takes at once', () => {
  const [, homeInside = ''] = /MAYDAY_HOME=(\S+)/.exec(containerfile) ?? [];
  const token = join(keysFolder(homeInside), 'desk-4747.token');
  expect(config.data['prometheus.yml']).toContain(`credentials_file: ${token}}`);
  const [{ metadata }] = scaled.spec.triggers;
  const named = metadata.query.match(/mayday_\w+/g);
  expect(named).toEqual(['mayday_queue_depth', 'mayday_runs']);
  expect(FIGURES.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
  expect(hosts.spec.template.spec.containers[0].args).toEqual(['--concurrency', metadata.threshold]);
  expect(scaled.spec.scaleTargetRef).toEqual({ kind: hosts.kind, name: hosts.metadata.name });
});
