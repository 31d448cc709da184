/** `installCli`: a pinned agent CLI in a folder of its own that git ignores; installed once. Returns the path of its program. */
import { join } from 'node:path';
import type { AgentCli } from './agent-cli.ts';
import { installPackage } from './install-package.ts';

export function installCli({
  package: name,
  version,
  adapter,
  program = adapter.name,
}: Pick<AgentCli, 'package' | 'version' | 'adapter' | 'program'>): string {
  return join(installPackage(name, version), '.bin', program);
}
