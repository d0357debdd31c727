import { Input, NativeSelect, Radio, Stack } from '@mantine/core'
import type { SiteRole } from '@plantroom/contract/roles'
import { useSite } from '../../api/use-site.ts'
import { members } from '../../texts/members.ts'
import type { ChosenRoles } from './member-words.ts'

const texts = members.form
const OPTIONS = [
  { value: '', label: texts.noRole },
  { value: 'viewer', label: texts.viewer },
  { value: 'manager', label: texts.manager },
]

/** Admin of everything, or a role for each site. */
export function RolesFields({
  chosen,
  onChange,
  error,
}: {
  chosen: ChosenRoles
  onChange: (chosen: ChosenRoles) => void
  error: string | false
}) {
  const { organization } = useSite()

  function setSite(siteId: string, role: string): void {
    const { [siteId]: _before, ...others } = chosen.bySite
    onChange({ ...chosen, bySite: role === '' ? others : { ...others, [siteId]: role as SiteRole } })
  }

  return (
    <Stack gap="sm">
      <Radio.Group
        label={texts.what}
        value={chosen.isAdmin ? 'admin' : 'sites'}
        onChange={(value) => onChange({ ...chosen, isAdmin: value === 'admin' })}
      >
        <Stack gap="xs" my={6}>
          <Radio value="admin" label={texts.admin} />
          <Radio value="sites" label={texts.perSite} />
        </Stack>
      </Radio.Group>
      {!chosen.isAdmin &&
        organization.sites.map(({ id, name }) => (
          <NativeSelect
            key={id}
            label={texts.roleOn(name)}
            data={OPTIONS}
            value={chosen.bySite[id] ?? ''}
            onChange={(event) => setSite(id, event.currentTarget.value)}
          />
        ))}
      {error && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  )
}
