/** `detectPython`: detects a Python project: uv, poetry, pipenv or a virtual environment in the workspace, and pytest or unittest. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectFinding, ProjectFiles } from './detect-project.ts';

// biome-ignore format: words stand together
const MARKS = [
  'pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile', 'tox.ini', 'pytest.ini',
];

// biome-ignore format: words stand together
const REQUIREMENTS = [
  'requirements.txt', 'requirements-dev.txt', 'dev-requirements.txt', 'requirements-test.txt',
];

export async function detectPython(files: ProjectFiles): Promise<ProjectFinding | null> {
  const project = await files.read('pyproject.toml');
  const tests = await testFiles(files);
  const venv = await installedVenv(files);
  if (!MARKS.some((name) => files.has(name)) && tests.length === 0 && venv === null) return null;
  const requirements = REQUIREMENTS.filter((name) => files.has(name));
  const texts = [project, await files.read('setup.cfg'), await files.read('tox.ini')];
  for (const name of requirements) texts.push(await files.read(name));
  const usesPytest =
    files.has('pytest.ini') || files.has('conftest.py') || texts.some((text) => /\bpytest\b/.test(text));
  const runner = chooseRunner(files, project, requirements, venv);
  const why = [runner.why, ...(venv === null ? [] : [`${venv} is installed: each run gets a copy of it`])];
  const brought = venv === null ? {} : { nodeModules: 'copy' as const };
  if (tests.length === 0 && !usesPytest) return { checks: [], setup: runner.setup, ...brought, why };
  const folder = tests.find((path) => path.includes('/'))?.split('/')[0];
  const unittest = folder === undefined ? 'unittest' : `unittest discover -s ${folder} -t .`;
  why.push(usesPytest ? 'pytest is configured or required' : `test files without pytest: ${tests[0]}`);
  return { checks: [runner.run(usesPytest ? 'pytest' : unittest)], setup: runner.setup, ...brought, why };
}

async function installedVenv(files: ProjectFiles): Promise<string | null> {
  for (const name of ['.venv', 'venv']) if (await files.exists(`${name}/pyvenv.cfg`)) return name;
  return null;
}

interface Runner {
  readonly setup: string | null;
  readonly run: (module: string) => string;
  readonly why: string;
}

function chooseRunner(
  files: ProjectFiles,
  project: string,
  requirements: readonly string[],
  venv: string | null,
): Runner {
  const by = (python: string, setup: string | null, why: string): Runner => ({
    setup,
    run: (module) => `${python} -m ${module}`,
    why,
  });
  if ((files.has('uv.lock') || /^\[tool\.uv\b/m.test(project)) && files.hasTool('uv', 'uv.lock'))
    return by('uv run python', 'uv sync', 'uv.lock: uv sync');
  if (
    (files.has('poetry.lock') || /^\[tool\.poetry\]/m.test(project)) &&
    files.hasTool('poetry', 'poetry.lock')
  )
    return by('poetry run python', 'poetry install --no-interaction', 'poetry: poetry install');
  if (files.has('Pipfile') && files.hasTool('pipenv', 'Pipfile'))
    return by('pipenv run python', 'pipenv sync --dev', 'Pipfile: pipenv');
  if (requirements.length === 0 || !files.hasTool('python3', requirements[0] as string))
    return by(venv === null ? 'python3' : `${venv}/bin/python`, null, 'Python without listed requirements');
  const lists = requirements.map((name) => `-r ${name}`).join(' ');
  // The virtual environment is in the tree, because Mayday must not install into the person's environment.
  return by(
    '.venv/bin/python',
    `python3 -m venv .venv && .venv/bin/pip install --quiet ${lists}`,
    `${requirements.join(', ')}: a virtual environment in the workspace`,
  );
}

async function testFiles(files: ProjectFiles): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ['', 'tests', 'test']) {
    const names = await readdir(join(files.root, folder)).catch(() => []);
    for (const name of names.toSorted((a, b) => (a < b ? -1 : 1)))
      if (/^test_.*\.py$|_test\.py$/.test(name)) found.push(folder === '' ? name : `${folder}/${name}`);
  }
  return found;
}
