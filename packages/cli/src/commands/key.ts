import { type ApiKey, MAX_OVERLAP_SECONDS, type ReleasedOverrides } from '@plantroom/contract/api'
import { PERMISSIONS, type Permission } from '@plantroom/contract/permissions'
import { operatorClient, organizationOf } from '../clients.ts'
import { byVerb, COMMON_FLAGS, type Command, parse, positionals, UsageError } from '../command.ts'
import { print, table } from '../output.ts'

export const key: Command = {
  usage: `plantroom key create NAME --permission P [--permission P …] [--site ID …] [--expires TIME]
                                        create an API key and print it; it is shown only once
                                        P: ${PERMISSIONS.join(', ')}
                                        default: all sites of the organization, no expiry
plantroom key list                      list keys, with when and from where they were last used
plantroom key rotate ID [--overlap SECONDS]
                                        print a new secret for a key; the old one works for the overlap
                                        (default 0, at most ${MAX_OVERLAP_SECONDS}); overrides stay with the key
plantroom key revoke ID [--cancel-overrides]
                                        revoke a key immediately and permanently; optionally cancel every
                                        override that it placed, on controllers that are offline later`,
  run: byVerb({
    async create(args) {
      const { values, positionals: given } = parse(args, {
        ...COMMON_FLAGS,
        permission: { type: 'string', multiple: true },
        site: { type: 'string', multiple: true },
        expires: { type: 'string' },
      })
      const { NAME } = positionals(given, 'NAME')
      if (!values.permission) throw new UsageError('--permission is missing')
      const { client, config } = operatorClient(values)
      // The service rejects unknown permissions, with a message that lists the known ones.
      const permissions = values.permission as Permission[]
      const body = { name: NAME, permissions, siteIds: values.site ?? null, expiresAt: values.expires }
      const made = await client.createKey({ orgId: organizationOf(config), body })
      print(values.json, made, () => `${made.apiKey}\nThis key is shown only once. Store it in a safe place.`)
    },
    async list(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      positionals(given)
      const { client, config } = operatorClient(values)
      const { keys } = await client.listKeys({ orgId: organizationOf(config) })
      const header = ['ID', 'NAME', 'PERMISSIONS', 'SITES', 'LAST USED', 'FROM', 'STATE']
      const none = 'no keys yet: plantroom key create NAME --permission P'
      print(values.json, keys, () => table(header, keys.map(row), none))
    },
    async rotate(args) {
      const { values, positionals: given } = parse(args, { ...COMMON_FLAGS, overlap: { type: 'string' } })
      const { ID } = positionals(given, 'ID')
      const overlapSeconds = Number(values.overlap ?? 0)
      if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > MAX_OVERLAP_SECONDS) {
        throw new UsageError(`--overlap: must be whole seconds from 0 to ${MAX_OVERLAP_SECONDS}`)
      }
      const { client, config } = operatorClient(values)
      const made = await client.rotateKey({ orgId: organizationOf(config), keyId: ID, body: { overlapSeconds } })
      const until = made.previousSecretUntil
      const old = until ? `The old secret works until ${until}.` : 'The old secret has stopped working.'
      print(values.json, made, () => `${made.apiKey}\nThis key is shown only once. Store it in a safe place. ${old}`)
    },
    async revoke(args) {
      const { values, positionals: given } = parse(args, { ...COMMON_FLAGS, 'cancel-overrides': { type: 'boolean' } })
      const { ID } = positionals(given, 'ID')
      const { client, config } = operatorClient(values)
      const query = { cancelOverrides: values['cancel-overrides'] ? ('true' as const) : undefined }
      const released = await client.revokeKey({ orgId: organizationOf(config), keyId: ID, query })
      print(values.json, { id: ID, revoked: true, ...released }, () => describeRevoked(ID, released))
    },
  }),
}

function row(key: ApiKey): string[] {
  return [
    key.id,
    key.name,
    key.permissions.join(' '),
    key.siteIds?.join(' ') ?? 'all',
    key.lastUsedAt ?? 'never',
    key.lastUsedFrom ?? '-',
    stateOf(key),
  ]
}

function stateOf({ state, revokedAt, expiresAt }: ApiKey): string {
  if (state === 'revoked') return `revoked ${revokedAt}`
  if (state === 'expired') return `expired ${expiresAt}`
  return expiresAt === null ? 'active' : `active until ${expiresAt}`
}

function describeRevoked(id: string, released: ReleasedOverrides | undefined): string {
  if (!released) return `key ${id} revoked`
  const { cancelled, pending } = released
  const lines = [
    `key ${id} revoked; overrides cancelled: ${cancelled.length}`,
    ...cancelled.map((each) => `  ${each.id} on ${each.datapointId} of ${each.deviceId}`),
    ...pending.map(({ deviceId, name }) => `pending: ${name} (${deviceId}) cancels as soon as it is back`),
  ]
  return lines.join('\n')
}
