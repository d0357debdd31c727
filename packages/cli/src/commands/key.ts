import { COMMON_FLAGS, type Command, parse, positionals, UsageError } from '../command.ts'
import { print, table } from '../output.ts'
import { asOperator, organizationOf } from './context.ts'

export const key: Command = {
  usage: `plantroom key create NAME --permission P [--permission P …] [--site ID …]
                                        create an API key; prints its secret, only this once
                                        P: edge-device:read_write, ticket:read, ticket:read_write
                                        without --site: all sites of the organization
plantroom key list                      list keys, with when they were last used
plantroom key revoke ID                 revoke a key, at once and for good`,
  async run([verb, ...args]) {
    const { values, positionals: given } = parse(args, {
      ...COMMON_FLAGS,
      permission: { type: 'string', multiple: true },
      site: { type: 'string', multiple: true },
    })
    const { admin, config } = asOperator(values)
    const orgId = organizationOf(config)
    if (verb === 'create') {
      const { NAME } = positionals(given, 'NAME')
      if (!values.permission) throw new UsageError('--permission is missing')
      const made = await admin.createKey(orgId, {
        name: NAME,
        permissions: values.permission,
        siteIds: values.site ?? null,
      })
      return print(values.json, made, () => `${made.apiKey}\nThis is shown only once: keep it somewhere safe.`)
    }
    if (verb === 'list') {
      positionals(given)
      const found = await admin.keys(orgId)
      const rows = found.map((listed) => [
        listed.id,
        listed.name,
        listed.permissions.join(' '),
        listed.siteIds?.join(' ') ?? 'all',
        listed.lastUsedAt ?? 'never',
        listed.revokedAt ? `revoked ${listed.revokedAt}` : 'active',
      ])
      return print(values.json, found, () =>
        table(
          ['ID', 'NAME', 'PERMISSIONS', 'SITES', 'LAST USED', 'STATE'],
          rows,
          'no keys yet: plantroom key create NAME --permission P',
        ),
      )
    }
    if (verb === 'revoke') {
      const { ID } = positionals(given, 'ID')
      await admin.revokeKey(orgId, ID)
      return print(values.json, { id: ID, revoked: true }, () => `key ${ID} is revoked`)
    }
    throw new UsageError('say create, list or revoke')
  },
}
