import { NativeSelect, Select, Stack, Text, TextInput } from '@mantine/core'
import type { MissingKind } from '@plantroom/contract/jobs'
import { useState } from 'react'
import { CardTable } from '../../../parts/card-table.tsx'
import { SmallButton } from '../../../parts/small-button.tsx'
import { format } from '../../../texts/format.ts'
import { missing as texts } from '../../../texts/missing.ts'
import { choose, type KindChoices } from './choices.ts'
import type { MissingName } from './use-missing-names.ts'
import { useTargets } from './use-targets.ts'

interface Changeable {
  kind: MissingKind
  choices: KindChoices
  onChange: (choices: KindChoices) => void
}

const LEAVE = { units: texts.leaveUnits, people: texts.leavePeople, tags: texts.leaveTags } as const

/** Names at a time: a package may have thousands, and every row has a field. */
const SHOWN = 25

/** The names of a kind, each with a choice of its own. */
export function KindTable({ title, names, ...of }: Changeable & { title: string; names: readonly MissingName[] }) {
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState(SHOWN)
  const wanted = search.trim().toLocaleLowerCase()
  const found = names.filter(({ label }) => label.toLocaleLowerCase().includes(wanted))
  const more = Math.min(found.length - shown, SHOWN)
  return (
    <Stack gap="xs" align="flex-start">
      {names.length > SHOWN && (
        <TextInput
          type="search"
          size="sm"
          label={texts.search}
          value={search}
          onChange={({ currentTarget: { value } }) => setSearch(value)}
        />
      )}
      {found.length === 0 ? (
        <Text size="sm">{texts.nothingFound}</Text>
      ) : (
        <CardTable
          framed={false}
          label={format(texts.tableLabel, { title })}
          rows={found.slice(0, shown)}
          keyOf={({ name }) => name}
          columns={[
            { head: texts.name, cell: ({ label }) => label },
            { head: texts.single, cell: ({ name }) => <OwnChoice name={name} {...of} /> },
          ]}
        />
      )}
      {more > 0 && (
        <SmallButton onClick={() => setShown(shown + SHOWN)}>{format(texts.more, { count: more })}</SmallButton>
      )}
    </Stack>
  )
}

function OwnChoice({ kind, name, choices, onChange }: Changeable & { name: string }) {
  const own = choices.single.get(name) ?? 'all'
  const [isMapping, setIsMapping] = useState(typeof own === 'object')
  const targets = useTargets(kind, isMapping)

  function take(value: string): void {
    setIsMapping(value === 'map')
    if (value === 'all' || value === 'create' || value === 'leave') onChange(choose(choices, name, value))
    // Until an existing one is chosen, the name follows the others.
    else onChange(choose(choices, name, 'all'))
  }

  return (
    <Stack gap={4} w="100%" maw={360}>
      <NativeSelect
        size="sm"
        aria-label={format(texts.choiceFor, { name })}
        value={isMapping ? 'map' : String(own)}
        onChange={({ currentTarget: { value } }) => take(value)}
        data={[
          { value: 'all', label: texts.asOthers },
          { value: 'create', label: texts.createOne },
          { value: 'leave', label: LEAVE[kind] },
          { value: 'map', label: texts.mapOne },
        ]}
      />
      {isMapping && (
        <Select
          size="sm"
          searchable
          limit={50}
          aria-label={format(texts.targetFor, { name })}
          placeholder={texts.targetHint}
          nothingFoundMessage={targets.data?.length === 0 ? texts.noTargets[kind] : texts.noTarget}
          data={targets.data ?? []}
          value={typeof own === 'object' ? own.id : null}
          error={targets.error?.message}
          onChange={(id) => onChange(choose(choices, name, id === null ? 'all' : { id }))}
        />
      )}
    </Stack>
  )
}
