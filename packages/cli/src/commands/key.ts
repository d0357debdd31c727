import { type ApiKey, MAX_OVERLAP_SECONDS, type ReleasedOverrides } from '@plantroom/contract/api'
import { PERMISSIONS, type Permission } from '@plantroom/contract/permissions'
import { administration } from '../clients.ts'
import { COMMON_FLAGS, flag, repeated, UsageError, valued } from '../command.ts'
import { command, verb } from '../declare.ts'
import { print, table } from '../output.ts'

const KEY = { name: 'KEY', about: 'by id or name', completes: 'key' } as const

export const key = command('key', {
  group: 'administer',
  about: 'manage API keys',
  verbs: {
    create: verb({
      about: 'create an API key and print it; it is shown only once',
      arguments: [{ name: 'NAME' }],
      synopsis: '--permission P',
      options: {
        ...COMMON_FLAGS,
        permission: repeated('P', 'what it may do; may be repeated', { choices: PERMISSIONS }),
        site: repeated('SITE', 'only this site, by id or name; may be repeated. Default: all', { completes: 'site' }),
        expires: valued('TIME', 'when it stops working; never by default'),
      },
      json: '{id, name, permissions, siteIds, expiresAt, apiKey}',
      async run(flags, { NAME }) {
        if (!flags.permission) throw new UsageError('--permission is missing')
        const { client, orgId, siteIds } = await administration(flags)
        // The service rejects unknown permissions, with a message that lists the known ones.
        const permissions = flags.permission as Permission[]
        const sites = (await siteIds(flags.site)) ?? null
        const body = { name: NAME, permissions, siteIds: sites, expiresAt: flags.expires }
        const made = await client.createKey({ orgId, body })
        print(flags.json, made, () => `${made.apiKey}\nThis key is shown only once. Store it in a safe place.`)
      },
    }),
    list: verb({
      about: 'list keys, with when and from where they were last used',
      options: COMMON_FLAGS,
      json: '[{id, name, permissions, siteIds, state, lastUsedAt, …}], as the API lists them',
      async run(flags) {
        const { client, orgId } = await administration(flags)
        const { keys } = await client.listKeys({ orgId })
        const header = ['ID', 'NAME', 'PERMISSIONS', 'SITES', 'LAST USED', 'FROM', 'STATE']
        const none = 'no keys yet: plantroom key create NAME --permission P'
        print(flags.json, keys, () => table(header, keys.map(row), none))
      },
    }),
    rotate: verb({
      about: 'print a new secret for a key, which keeps its overrides',
      arguments: [KEY],
      options: {
        ...COMMON_FLAGS,
        overlap: valued('SECONDS', `how long the old secret works: 0 by default, at most ${MAX_OVERLAP_SECONDS}`),
      },
      json: '{id, name, permissions, siteIds, expiresAt, apiKey, previousSecretUntil}',
      async run(flags, { KEY }) {
        const overlapSeconds = Number(flags.overlap ?? 0)
        if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > MAX_OVERLAP_SECONDS) {
          throw new UsageError(`--overlap: must be whole seconds from 0 to ${MAX_OVERLAP_SECONDS}`)
        }
        const { client, orgId, keyId } = await administration(flags)
        const made = await client.rotateKey({ orgId, keyId: await keyId(KEY), body: { overlapSeconds } })
        const until = made.previousSecretUntil
        const old = until ? `The old secret works until ${until}.` : 'The old secret has stopped working.'
        print(flags.json, made, () => `${made.apiKey}\nThis key is shown only once. Store it in a safe place. ${old}`)
      },
    }),
    revoke: verb({
      about: 'revoke a key immediately and permanently',
      arguments: [KEY],
      options: {
        ...COMMON_FLAGS,
        'cancel-overrides': flag('cancel every override that it placed; on controllers that are offline later'),
      },
      json: '{id, revoked}, and with --cancel-overrides cancelled and pending',
      async run(flags, { KEY }) {
        const { client, orgId, keyId } = await administration(flags)
        const id = await keyId(KEY)
        const query = { cancelOverrides: flags['cancel-overrides'] ? ('true' as const) : undefined }
        const released = await client.revokeKey({ orgId, keyId: id, query })
        print(flags.json, { id, revoked: true, ...released }, () => describeRevoked(id, released))
      },
    }),
  },
})

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
