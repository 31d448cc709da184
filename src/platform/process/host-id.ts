/**
 * `hostId`: names this machine without revealing its machine id. Container images share a machine id, and laptops change the domain of
 * their name: so the name is a hash of the id and the first part of the host name. It only serves to tell a reboot from another machine.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { lookOrNull } from '../file/vanished.ts';

const MACHINE_ID_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id'];
const SHOWN_HEX = 16;

let known: string | undefined;

export function hostId(): string {
  known ??= createHash('sha256')
    .update(`${machineId()}\n${hostname().split('.')[0]}`)
    .digest('hex')
    .slice(0, SHOWN_HEX);
  return known;
}

function machineId(): string {
  for (const path of MACHINE_ID_FILES) {
    const text = lookOrNull(() => readFileSync(path, 'utf8'))?.trim();
    if (text) return text;
  }
  return '';
}
