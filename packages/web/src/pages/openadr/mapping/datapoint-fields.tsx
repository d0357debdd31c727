import { Select, SimpleGrid } from '@mantine/core'
import { useTaggedSites } from '../../../api/use-tagged-sites.ts'
import { joinFacts, shownRange } from '../../../parts/value.ts'
import { common } from '../../../texts/common.ts'
import { format } from '../../../texts/format.ts'
import { openadrMapping as texts } from '../../../texts/openadr-mapping.ts'
import type { SiteDatapoint } from './use-site-datapoints.ts'

/** The number of names in a list; typing narrows it. */
const SHOWN = 50

/** Chooses a site of the organization by typing. */
export function SiteField({
  siteId,
  error,
  onChange,
}: {
  siteId: string
  error?: string | undefined
  onChange: (siteId: string) => void
}) {
  const sites = useTaggedSites()
  const isKnown = siteId === '' || sites.some(({ id }) => id === siteId)
  const choices = sites.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Select
      label={texts.site}
      placeholder={texts.pickSite}
      data={isKnown ? choices : [{ value: siteId, label: siteId }, ...choices]}
      value={siteId === '' ? null : siteId}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      error={error}
      searchable
      allowDeselect={false}
      limit={SHOWN}
      nothingFoundMessage={common.nothingFound}
    />
  )
}

/** Chooses a datapoint of a site by typing. One that is not found is shown by its id. */
export function DatapointField({
  label,
  siteId,
  datapointId,
  datapoints,
  isWritable,
  error,
  onChange,
}: {
  label: string
  siteId: string
  datapointId: string
  datapoints: readonly SiteDatapoint[]
  /** True for datapoints that can be controlled only. */
  isWritable: boolean
  error?: string | undefined
  onChange: (datapointId: string) => void
}) {
  const offered = datapoints.filter((each) => each.siteId === siteId && (!isWritable || each.isWritable))
  const chosen = datapoints.find(({ id }) => id === datapointId)
  const choices = offered.map((each) => ({ value: each.id, label: optionOf(each) }))
  const isOffered = datapointId === '' || offered.some(({ id }) => id === datapointId)
  const unknown = { value: datapointId, label: chosen ? optionOf(chosen) : datapointId }
  return (
    <Select
      label={label}
      placeholder={siteId === '' ? texts.siteFirst : texts.pickDatapoint}
      description={describeChosen(datapointId, chosen)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={isOffered ? choices : [unknown, ...choices]}
      value={datapointId === '' ? null : datapointId}
      onChange={(next) => onChange(next ?? '')}
      error={error}
      searchable
      clearable={!isWritable}
      clearButtonProps={{ 'aria-label': format(common.clear, { what: label }) }}
      limit={SHOWN}
      nothingFoundMessage={offered.length === 0 ? texts.noDatapoints : common.nothingFound}
    />
  )
}

function optionOf({ name, unit, connection, controller }: SiteDatapoint): string {
  const where = joinFacts([connection, controller])
  return unit === undefined ? format(texts.option, { name, where }) : format(texts.optionIn, { name, unit, where })
}

function describeChosen(datapointId: string, chosen: SiteDatapoint | undefined): string | undefined {
  if (datapointId === '') return undefined
  if (!chosen) return format(texts.notFound, { id: datapointId })
  const { envelope, unit } = chosen
  return envelope?.min === undefined && envelope?.max === undefined
    ? undefined
    : format(texts.takes, shownRange(envelope, unit))
}

/** A site and one of its datapoints. */
export function SiteDatapointFields({
  siteId,
  onSite,
  ...field
}: Parameters<typeof DatapointField>[0] & { onSite: (siteId: string) => void }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <SiteField siteId={siteId} onChange={onSite} />
      <DatapointField siteId={siteId} {...field} />
    </SimpleGrid>
  )
}
