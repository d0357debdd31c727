import { Group, Paper, SimpleGrid, Stack, TagsInput, Text, TextInput, Title } from '@mantine/core'
import type { Profile } from '@plantroom/contract/openadr-profile'
import { useTaggedSites } from '../../../api/use-tagged-sites.ts'
import { SmallButton } from '../../../parts/small-button.tsx'
import { format } from '../../../texts/format.ts'
import { openadrMapping as texts } from '../../../texts/openadr-mapping.ts'
import { payloadRule } from '../profile-of.ts'
import { DatapointField, SiteField } from './datapoint-fields.tsx'
import { type DraftResource, type DraftRule, newRule } from './mapping-draft.ts'
import { mappablePayloads } from './payloads.ts'
import { RuleFields } from './rule-fields.tsx'
import type { SiteDatapoint } from './use-site-datapoints.ts'

/** Edits one resource: its name at the VTN, its rules, and what its reports are made from. */
export function ResourceFields({
  resource,
  number,
  profile,
  datapoints,
  problemAt,
  onChange,
  onRemove,
}: {
  resource: DraftResource
  number: number
  profile: Profile | undefined
  datapoints: readonly SiteDatapoint[]
  problemAt: (field: string) => string | undefined
  onChange: (resource: DraftResource) => void
  onRemove: () => void
}) {
  const { rules } = resource
  const change = (changed: Partial<DraftResource>) => onChange({ ...resource, ...changed })
  const changeRule = (index: number, rule: DraftRule) => change({ rules: rules.with(index, rule) })
  const name = resource.resourceName || format(texts.resource, { number })
  const [first = ''] = mappablePayloads(profile)
  const [site, ...otherSites] = useTaggedSites()
  /** That of the rule before, or the only one. */
  const siteId = rules.at(-1)?.siteId || (otherSites.length === 0 ? (site?.id ?? '') : '')
  return (
    <Paper withBorder p="md" component="section" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Title>
          <SmallButton
            aria-label={format(texts.removeResourceOf, { number, name: resource.resourceName })}
            onClick={onRemove}
          >
            {texts.removeResource}
          </SmallButton>
        </Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={texts.resourceName}
            value={resource.resourceName}
            maxLength={128}
            error={problemAt('resourceName') ?? problemAt('')}
            onChange={({ currentTarget }) => change({ resourceName: currentTarget.value })}
          />
          <TagsInput
            label={texts.targets}
            description={texts.targetsHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={resource.targets}
            error={problemAt('targets')}
            onChange={(targets) => change({ targets })}
          />
        </SimpleGrid>
        {rules.map((rule, index) => (
          <RuleFields
            key={rule.key}
            rule={rule}
            number={index + 1}
            resource={name}
            profile={profile}
            datapoints={datapoints}
            problemAt={(field) => problemAt(field === '' ? `rules[${index}]` : `rules[${index}].${field}`)}
            onChange={(changed) => changeRule(index, changed)}
            onRemove={() => change({ rules: rules.filter(({ key }) => key !== rule.key) })}
          />
        ))}
        {problemAt('rules') && (
          <Text size="sm" c="var(--mantine-color-error)">
            {problemAt('rules')}
          </Text>
        )}
        <Group>
          <SmallButton
            aria-label={format(texts.addRuleTo, { name })}
            onClick={() => change({ rules: [...rules, { ...newRule(first, payloadRule(profile, first)), siteId }] })}
          >
            {texts.addRule}
          </SmallButton>
        </Group>
        <ReportFields resource={resource} datapoints={datapoints} problemAt={problemAt} change={change} />
      </Stack>
    </Paper>
  )
}

function ReportFields({
  resource,
  datapoints,
  problemAt,
  change,
}: {
  resource: DraftResource
  datapoints: readonly SiteDatapoint[]
  problemAt: (field: string) => string | undefined
  change: (changed: Partial<DraftResource>) => void
}) {
  const { powerDatapointId, energyDatapointId, rules } = resource
  const known = datapoints.find(({ id }) => id === powerDatapointId || id === energyDatapointId)
  const siteId = resource.siteId || known?.siteId || rules.find((rule) => rule.siteId !== '')?.siteId || ''
  const shared = { siteId, datapoints, isWritable: false }
  return (
    <div>
      <Text size="sm" fw={600}>
        {texts.reports}
      </Text>
      <Text size="sm" c="dimmed" mb={4}>
        {texts.reportsHint}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        <SiteField siteId={siteId} onChange={(chosen) => change({ siteId: chosen })} />
        <DatapointField
          {...shared}
          label={texts.power}
          datapointId={powerDatapointId}
          error={problemAt('powerDatapointId')}
          onChange={(id) => change({ powerDatapointId: id })}
        />
        <DatapointField
          {...shared}
          label={texts.energy}
          datapointId={energyDatapointId}
          error={problemAt('energyDatapointId')}
          onChange={(id) => change({ energyDatapointId: id })}
        />
      </SimpleGrid>
    </div>
  )
}
