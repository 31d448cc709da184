/**
 * `openForge`, `withoutSecret`: choose `gh` where it is installed, otherwise the API of the forge. The token and the address come from
 * the person's environment, never from the repository: a cloned configuration must not make Mayday send a token to another host.
 */
import { blockedDelivery, type DeliveryResult } from '../delivery.ts';
import type { Forge, ForgeSpec } from './forge.ts';
import { apiForge } from './forge-api.ts';
import { ghForge } from './forge-gh.ts';

/** Returns the forge, or a blocked delivery that names what is missing. */
export async function openForge(spec: ForgeSpec): Promise<Forge | DeliveryResult> {
  const viaApi = apiForge(spec);
  if (spec.env['MAYDAY_FORGE_API'] !== undefined && viaApi !== null) return viaApi;
  const viaGh = await ghForge(spec);
  if (viaGh !== null) return viaGh;
  if (viaApi !== null) return viaApi;
  return blockedDelivery('generator_unavailable', [
    'Neither gh nor a token (GH_TOKEN or GITHUB_TOKEN) is there to make the pull request with.',
    `The remote is ${withoutSecret(spec.remoteUrl)}.`,
  ]);
}

/** Removes the password that the address of a remote may hold. */
export function withoutSecret(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//');
}
