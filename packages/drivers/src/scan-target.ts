import { Failure } from '@plantroom/contract/failure'
import { readScanTarget, type ScanTarget } from '@plantroom/contract/scan-target'
import { excerpt } from './excerpt.ts'

/** How long a scan rests between two requests. */
export const SCAN_PAUSE_MS = 20

/**
 * Returns the hosts that a person points a scan at: one host, or the addresses of an IPv4 network such as 10.0.0.0/24.
 * Throws a `Failure` of kind `invalid` for anything larger, and for what is not the address of equipment.
 */
export function scanTargets(host: unknown): readonly string[] {
  const target = readScanTarget(host)
  if ('hosts' in target) return target.hosts
  throw new Failure('invalid', `settings.host: ${describe(target)}`, 'settings.host')
}

function describe(target: Exclude<ScanTarget, { hosts: unknown }>): string {
  const given = excerpt(target.host)
  switch (target.problem) {
    case 'missing':
      return 'is missing: it must be the host to scan, or a network of at most 256 addresses such as 10.0.0.0/24'
    case 'not-ipv4':
      return `${given} is not an IPv4 network; scan a host, or a network such as 10.0.0.0/24`
    case 'not-equipment':
      return `${given} is not the address of equipment; scan a host, or a network such as 10.0.0.0/24`
    case 'not-a-network':
      return `${given} is not a network; write it as 10.0.0.0/24`
    case 'too-large':
      return `${given} has ${target.addresses} addresses; scan one host, or networks of at most 256 addresses (/24) one after the other`
  }
}
