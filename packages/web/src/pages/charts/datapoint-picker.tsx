import { Select } from '@mantine/core'
import { ON_OFF } from '@plantroom/contract/units'
import { useState } from 'react'
import { type ChartSource, findSources, MAX_SOURCES, sourceKey } from '../../parts/chart/sources.ts'
import { joinFacts } from '../../parts/value.ts'
import { chartPage as texts } from '../../texts/charts.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'

/** The number of names in the list; typing narrows it. */
const SHOWN = 50

/** Adds one of the site's datapoints to the chart. */
export function DatapointPicker({
  sources,
  chosen,
  onAdd,
}: {
  sources: readonly ChartSource[]
  chosen: readonly string[]
  onAdd: (key: string) => void
}) {
  const [text, setText] = useState('')
  const isFull = chosen.length >= MAX_SOURCES
  const offered = findSources(sources, text).filter((source) => !chosen.includes(sourceKey(source)))
  return (
    <Select
      label={texts.add}
      placeholder={texts.addHint}
      description={isFull ? format(texts.full, { count: MAX_SOURCES }) : undefined}
      data={offered.slice(0, SHOWN).map((source) => ({ value: sourceKey(source), label: optionOf(source) }))}
      // The list is found by words in any order, not by the text of its lines.
      filter={({ options }) => options}
      value={null}
      searchValue={text}
      onSearchChange={setText}
      onChange={(key) => {
        if (key === null) return
        onAdd(key)
        setText('')
      }}
      disabled={isFull}
      searchable
      nothingFoundMessage={common.nothingFound}
      maw={520}
    />
  )
}

function optionOf({ name = '', unit, connection, controller }: ChartSource): string {
  const where = joinFacts([connection, controller])
  return unit === undefined || unit === ON_OFF
    ? format(texts.option, { name, where })
    : format(texts.optionIn, { name, unit, where })
}
