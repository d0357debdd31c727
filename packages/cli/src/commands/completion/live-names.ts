import { createClient } from '@plantroom/client/client'
import { senderFor } from '../../clients.ts'
import type { Completes } from '../../command.ts'
import { type CliConfig, type Flags, ownProfiles, readConfig } from '../../config.ts'
import { createDirectory } from '../../directory.ts'
import { createNames, listDevices, type Named } from '../../names.ts'
import type { Candidate } from './complete.ts'

/** A person who pressed Tab does not wait longer. */
const PATIENCE_MS = 1500
const MOST_OFFERED = 500
const UNTYPABLE = /[\p{C}\p{Zl}\p{Zp}]/u

/** Lists the names that a person can type here. Any trouble means none: a completion is no place for errors. */
export async function liveNames(kind: Completes, typed: readonly string[]): Promise<Candidate[]> {
  if (kind === 'profile')
    return ownProfiles()
      .names()
      .map((value) => ({ value }))
  const tooLate = new Promise<readonly Named[]>((resolve) => {
    AbortSignal.timeout(PATIENCE_MS).addEventListener('abort', () => resolve([]))
  })
  const found = await Promise.race([namesOf(kind, readConfig(flagsOf(typed))), tooLate]).catch(() => [])
  const names = found.filter(({ name }) => name !== '' && !UNTYPABLE.test(name))
  return names.slice(0, MOST_OFFERED).map(({ id, name }) => ({ value: name, about: id }))
}

async function namesOf(kind: Completes, config: CliConfig): Promise<readonly Named[]> {
  const operator = config.adminToken ? createClient(senderFor(config, 'token')) : undefined
  if (kind === 'organization') return operator ? (await operator.listOrganizations()).organizations : []
  if (config.orgId === undefined) return []
  const names = createNames(operator)
  const orgId = await names.organization(config.orgId)
  if (kind === 'connection' || kind === 'datapoint') {
    const client = operator ?? createClient(senderFor(config, 'key'))
    const directory = createDirectory({ client, operator, orgId })
    if (config.deviceId === undefined) return []
    await directory.learn([await names.device(orgId, config.deviceId)])
    return kind === 'connection' ? directory.connections() : idsAndNames(directory.datapointNames())
  }
  if (!operator) return []
  if (kind === 'site') return (await operator.listSites({ orgId })).sites
  if (kind === 'device') return listDevices(operator, orgId)
  if (kind === 'member') {
    return (await operator.listMembers({ orgId })).members.map(({ userId, email }) => ({ id: userId, name: email }))
  }
  return kind === 'key' ? (await operator.listKeys({ orgId })).keys : []
}

const idsAndNames = (names: ReadonlyMap<string, string>) => [...names].map(([id, name]) => ({ id, name }))

/** The options before the current word that say which service it is. */
function flagsOf(typed: readonly string[]): Flags {
  const flags: Record<string, string> = {}
  for (const [index, word] of typed.slice(0, -1).entries()) {
    const [, name = '', value] = /^--(profile|url|org|device)(?:=(.*))?$/.exec(word) ?? []
    if (name !== '') flags[name] = value ?? typed[index + 1] ?? ''
  }
  return flags
}
