import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type AlertRules, MAX_RECIPIENTS } from '@plantroom/contract/alerts'
import { schemaExpression } from '@plantroom/contract/expressions'
import { PERSON_EMAIL } from '@plantroom/contract/patterns'
import { useTaggedSites } from '../../api/use-tagged-sites.ts'
import { SitePicker } from '../../parts/site-picker.tsx'
import { alertRules } from '../../texts/alerts.ts'
import { format } from '../../texts/format.ts'

export type Recipient = NonNullable<AlertRules['recipients']>[number]

const EMAIL = schemaExpression(PERSON_EMAIL)

export const isAddress = (email: string): boolean => EMAIL.test(email.trim())

/** The addresses that get mail about alerts, each about all sites or about some. */
export function RecipientsFields({
  list,
  onChange,
  isTried,
}: {
  list: readonly Recipient[]
  onChange: (list: readonly Recipient[]) => void
  isTried: boolean
}) {
  const sites = useTaggedSites()
  const changeAt = (at: number, changes: Partial<Recipient>) =>
    onChange(list.map((one, index) => (index === at ? { ...one, ...changes } : one)))
  return (
    <Stack gap="xs" align="flex-start">
      {list.map(({ email, siteIds }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no identity but their place.
        <Group key={index} align="flex-end">
          <TextInput
            type="email"
            label={alertRules.email}
            value={email}
            onChange={(event) => changeAt(index, { email: event.currentTarget.value })}
            error={isTried && !isAddress(email) && alertRules.badAddress}
            maxLength={255}
            required
          />
          <SitePicker
            label={alertRules.sites}
            placeholder={siteIds === null ? alertRules.allSites : undefined}
            sites={sites}
            value={siteIds ?? []}
            onChange={(chosen) => changeAt(index, { siteIds: chosen.length === 0 ? null : chosen })}
          />
          <Button
            variant="default"
            aria-label={format(alertRules.removeAddress, { email })}
            onClick={() => onChange(list.filter((_, at) => at !== index))}
          >
            {alertRules.remove}
          </Button>
        </Group>
      ))}
      {list.length < MAX_RECIPIENTS && (
        <Button variant="default" onClick={() => onChange([...list, { email: '', siteIds: null }])}>
          {alertRules.addAddress}
        </Button>
      )}
    </Stack>
  )
}
