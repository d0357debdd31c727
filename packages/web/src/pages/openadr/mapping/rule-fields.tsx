import { Group, NumberInput, SegmentedControl, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { OUTSIDE_ENVELOPE } from '@plantroom/contract/openadr-mapping'
import type { Profile } from '@plantroom/contract/openadr-profile'
import { AVERAGING_SECONDS, DIRECTIONS } from '@plantroom/contract/power-limit'
import { SmallButton } from '../../../parts/small-button.tsx'
import { format } from '../../../texts/format.ts'
import { openadrMapping as texts } from '../../../texts/openadr-mapping.ts'
import classes from '../openadr.module.css'
import { payloadRule } from '../profile-of.ts'
import { SiteDatapointFields, SiteField } from './datapoint-fields.tsx'
import { LevelTable } from './level-table.tsx'
import { type DraftRule, newRule } from './mapping-draft.ts'
import { describePayload, payloadChoices } from './payloads.ts'
import type { SiteDatapoint } from './use-site-datapoints.ts'

const KINDS = (['datapoint', 'limit'] as const).map((value) => ({ value, label: texts.kinds[value] }))

/** Edits one rule: a payload, and the datapoint that it sets or the power that it limits. */
export function RuleFields({
  rule,
  number,
  resource,
  profile,
  datapoints,
  problemAt,
  onChange,
  onRemove,
}: {
  rule: DraftRule
  number: number
  resource: string
  profile: Profile | undefined
  datapoints: readonly SiteDatapoint[]
  problemAt: (field: string) => string | undefined
  onChange: (rule: DraftRule) => void
  onRemove: () => void
}) {
  const change = (changed: Partial<DraftRule>) => onChange({ ...rule, ...changed })
  const meaning = payloadRule(profile, rule.payload)
  const canLimit = meaning?.meaning === 'limit' || meaning?.meaning === 'flexibility'
  return (
    <Stack component="fieldset" gap="sm" className={classes.fieldset}>
      <legend>{format(texts.rule, { number })}</legend>
      <Group align="flex-start" justify="space-between">
        <Select
          label={texts.payload}
          description={describePayload(meaning)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={payloadChoices(profile, rule.payload)}
          value={rule.payload}
          allowDeselect={false}
          searchable
          error={problemAt('payload') ?? problemAt('')}
          flex="1 1 200px"
          maw={420}
          onChange={(payload) => {
            if (payload === null || payload === rule.payload) return
            const { key: _, ...start } = newRule(payload, payloadRule(profile, payload))
            change({ ...start, siteId: rule.siteId, datapointId: rule.datapointId })
          }}
        />
        <SmallButton
          mt={{ base: 0, sm: 25 }}
          aria-label={format(texts.removeRuleOf, { number, name: resource })}
          onClick={onRemove}
        >
          {texts.removeRule}
        </SmallButton>
      </Group>
      {(canLimit || rule.kind === 'limit') && (
        <SegmentedControl
          aria-label={texts.kind}
          data={KINDS}
          value={rule.kind}
          onChange={(kind) => change({ kind: kind as DraftRule['kind'] })}
          style={{ alignSelf: 'flex-start' }}
        />
      )}
      {problemAt('limit') && (
        <Text size="sm" c="var(--mantine-color-error)">
          {problemAt('limit')}
        </Text>
      )}
      {rule.kind === 'limit' ? (
        <LimitFields rule={rule} problemAt={problemAt} change={change} />
      ) : (
        <SetpointFields rule={rule} datapoints={datapoints} problemAt={problemAt} change={change} />
      )}
      <NumberInput
        label={rule.kind === 'limit' ? texts.fallbackKw : texts.fallback}
        description={texts.fallbackHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={rule.fallback}
        hideControls
        maw={220}
        error={problemAt('fallback')}
        onChange={(fallback) => change({ fallback })}
      />
    </Stack>
  )
}

interface PartProps {
  rule: DraftRule
  problemAt: (field: string) => string | undefined
  change: (changed: Partial<DraftRule>) => void
}

function SetpointFields({ rule, datapoints, problemAt, change }: PartProps & { datapoints: readonly SiteDatapoint[] }) {
  const siteId = rule.siteId || (datapoints.find(({ id }) => id === rule.datapointId)?.siteId ?? '')
  return (
    <>
      <SiteDatapointFields
        label={texts.datapoint}
        siteId={siteId}
        datapointId={rule.datapointId}
        datapoints={datapoints}
        isWritable
        error={problemAt('datapointId')}
        onSite={(chosen) => change({ siteId: chosen, datapointId: '' })}
        onChange={(datapointId) => change({ datapointId, siteId })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label={texts.outside}
          data={OUTSIDE_ENVELOPE.map((value) => ({ value, label: texts.outsides[value] }))}
          value={rule.outsideEnvelope}
          allowDeselect={false}
          error={problemAt('outsideEnvelope')}
          onChange={(outside) => change({ outsideEnvelope: outside === 'clamp' ? 'clamp' : 'refuse' })}
        />
        <NumberInput
          label={texts.factor}
          placeholder="1"
          value={rule.factor}
          hideControls
          maw={220}
          error={problemAt('factor')}
          onChange={(factor) => change({ factor })}
        />
      </SimpleGrid>
      {(rule.levels.length > 0 || problemAt('table')) && (
        <LevelTable
          rule={rule.payload}
          levels={rule.levels}
          problemAt={problemAt}
          onChange={(levels) => change({ levels })}
        />
      )}
    </>
  )
}

function LimitFields({ rule, problemAt, change }: PartProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <SiteField siteId={rule.siteId} error={problemAt('limit.siteId')} onChange={(siteId) => change({ siteId })} />
      <Select
        label={texts.direction}
        data={DIRECTIONS.map((value) => ({ value, label: texts.directions[value] }))}
        value={rule.direction}
        allowDeselect={false}
        error={problemAt('limit.direction')}
        onChange={(direction) => change({ direction: direction === 'export' ? 'export' : 'import' })}
      />
      <Select
        label={texts.averaging}
        data={AVERAGING_SECONDS.map((value) => ({ value: `${value}`, label: texts.averagings[`${value}`] }))}
        value={`${rule.averagingSeconds}`}
        allowDeselect={false}
        error={problemAt('limit.averagingSeconds')}
        onChange={(seconds) => change({ averagingSeconds: seconds === '0' ? 0 : 900 })}
      />
    </SimpleGrid>
  )
}
