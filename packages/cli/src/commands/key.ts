import type { ApiKey } from '@plantroom/contract/api'
import type { Permission } from '@plantroom/contract/permissions'
import { operatorClient, organizationOf } from '../clients.ts'
import { byVerb, COMMON_FLAGS, type Command, parse, positionals, UsageError } from '../command.ts'
import { print, table } from '../output.ts'

export const key: Command = {
  usage: `plantroom key create NAME --permission P [--permission P …] [--site ID …]
                                        create an API key and print it; it is shown only once
                                        P: edge-device:read_write, ticket:read, ticket:read_write
                                        default: all sites of the organization
plantroom key list                      list keys and when they were last used
plantroom key revoke ID                 revoke a key immediately and permanently`,
  run: byVerb({
    async create(args) {
      const { values, positionals: given } = parse(args, {
        ...COMMON_FLAGS,
        permission: { type: 'string', multiple: true },
        site: { type: 'string', multiple: true },
      })
      const { NAME } = positionals(given, 'NAME')
      if (!values.permission) throw new UsageError('--permission is missing')
      const { client, config } = operatorClient(values)
      // The service rejects unknown permissions, with a message that lists the known ones.
      const permissions = values.permission as Permission[]
      const body = { name: NAME, permissions, siteIds: values.site ?? null }
      const made = await client.createKey({ orgId: organizationOf(config), body })
      print(values.json, made, () => `${made.apiKey}\nThis key is shown only once. Store it in a safe place.`)
    },
    async list(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      positionals(given)
      const { client, config } = operatorClient(values)
      const { keys } = await client.listKeys({ orgId: organizationOf(config) })
      const header = ['ID', 'NAME', 'PERMISSIONS', 'SITES', 'LAST USED', 'STATE']
      const none = 'no keys yet: plantroom key create NAME --permission P'
      print(values.json, keys, () => table(header, keys.map(row), none))
    },
    async revoke(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      const { ID } = positionals(given, 'ID')
      const { client, config } = operatorClient(values)
      await client.revokeKey({ orgId: organizationOf(config), keyId: ID })
      print(values.json, { id: ID, revoked: true }, () => `key ${ID} revoked`)
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
    key.revokedAt ? `revoked ${key.revokedAt}` : 'active',
  ]
}
