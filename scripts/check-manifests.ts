/**
 * `npm run check:manifests`: holds the manifests of docs/examples/fleet against the schemas of Kubernetes, CloudNativePG and KEDA. The
 * schema of each kind judges the values; its type, asked by the TypeScript compiler, refuses fields that do not exist.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

const ROOT = resolve(import.meta.dirname, '..');
const TOOLS = join(ROOT, 'tools/manifests');
const MANIFESTS = process.argv[2] ?? join(ROOT, 'docs/examples/fleet/kubernetes.yaml');
/** Where the kinds of an operator are; all others are Kubernetes' own. */
const PACKAGES = new Map([
  ['postgresql.cnpg.io', '@kubernetes-models/cloudnative-pg'],
  ['keda.sh', '@kubernetes-models/keda'],
]);
const TYPES = ['--noEmit', '--ignoreConfig', '--strict', '--skipLibCheck', '--module', 'nodenext'];

if (!existsSync(join(TOOLS, 'node_modules'))) said('npm', ['ci', '--prefix', TOOLS, '--ignore-scripts']);
const manifests = parseAllDocuments(readFileSync(MANIFESTS, 'utf8')).map((one) => one.toJS() as Manifest);
const program = join(TOOLS, 'manifests.check.ts');
writeFileSync(program, [...manifests.entries()].map(checkOf).join(''));
const problems = [
  ...said(join(ROOT, 'node_modules/.bin/tsc'), [...TYPES, program]),
  ...said(process.execPath, [program]),
];
rmSync(program);
for (const problem of problems) console.log(problem);
console.log(`check:manifests: ${manifests.length} manifests, ${problems.length} problems`);
process.exit(problems.length === 0 && manifests.length > 0 ? 0 : 1);

/** A piece of a program that prints what is wrong with a manifest. */
function checkOf([index, manifest]: [number, Manifest]): string {
  const { apiVersion, kind } = manifest;
  const [group = ''] = apiVersion.split('/');
  const from = `${PACKAGES.get(group) ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
  return `import { ${kind} as Kind${index}, type I${kind} as Fields${index} } from '${from}';
const manifest${index}: Fields${index} = ${JSON.stringify(manifest, null, 2)};
try { new Kind${index}(manifest${index}).validate(); }
catch (error) { console.log('${kind}: ' + String(error).replaceAll('\\n', ' ')); }
`;
}

/** The lines of what a program prints, and that it failed if it printed nothing. */
function said(command: string, args: readonly string[]): string[] {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: TOOLS, encoding: 'utf8' });
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  return status === 0 || lines.length > 0 ? lines : [`${command} failed: ${stderr}`];
}
