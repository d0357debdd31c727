import { Input, MultiSelect, NativeSelect, Radio, Stack } from '@mantine/core'
import type { SiteRole } from '@plantroom/contract/roles'
import { useTaggedSites } from '../../api/use-tagged-sites.ts'
import { countTags, SitePicker } from '../../parts/site-picker.tsx'
import { common } from '../../texts/common.ts'
import { members } from '../../texts/members.ts'
import { type ChosenRoles, withRole } from './member-roles.ts'

const texts = members.form

const ON_ALL = [
  { value: '', label: texts.noRole },
  { value: 'viewer', label: texts.viewer },
  { value: 'manager', label: texts.manager },
]
const ROLES = ['manager', 'viewer'] as const

/** Admin of the organization, or roles on all sites, on those with a tag and on single ones: as many fields for a thousand sites as for one. */
export function RolesFields({
  value: chosen,
  onChange,
  error,
}: {
  value: ChosenRoles
  onChange: (chosen: ChosenRoles) => void
  error: string | false | undefined
}) {
  const sites = useTaggedSites()
  // A tag that no site has any more stays until it is removed here.
  const tags = [...new Set([...countTags(sites).keys(), ...chosen.tags.viewer, ...chosen.tags.manager])]
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
      {!chosen.isAdmin && (
        <>
          <NativeSelect
            label={texts.onAll}
            description={texts.onAllHint}
            data={ON_ALL}
            value={chosen.allSites ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...chosen, allSites: value === '' ? null : (value as SiteRole) })
            }
          />
          {tags.length > 0 &&
            ROLES.map((role) => (
              <MultiSelect
                key={role}
                label={texts.onTags[role]}
                description={role === 'manager' ? texts.onTagsHint : undefined}
                data={tags}
                value={[...chosen.tags[role]]}
                onChange={(names) => onChange({ ...chosen, tags: withRole(chosen.tags, role, names) })}
                searchable
                hidePickedOptions
                nothingFoundMessage={chosen.tags[role].length < tags.length && common.nothingFound}
              />
            ))}
          {ROLES.map((role) => (
            <SitePicker
              key={role}
              label={texts.onSites[role]}
              sites={sites}
              value={chosen.sites[role]}
              onChange={(ids) => onChange({ ...chosen, sites: withRole(chosen.sites, role, ids) })}
            />
          ))}
        </>
      )}
      {error && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  )
}
