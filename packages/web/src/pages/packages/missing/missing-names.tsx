import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { MAX_CHOICES, type MissingKind } from '@plantroom/contract/jobs'
import { useState } from 'react'
import { listed } from '../../../parts/value.ts'
import { format } from '../../../texts/format.ts'
import { missing as texts } from '../../../texts/missing.ts'
import { countChoices, type KindChoices, type MissingChoices } from './choices.ts'
import { KindTable } from './kind-table.tsx'
import { type MissingName, type NamesByKind, plainNames } from './use-missing-names.ts'

const TITLES = { units: texts.units, people: texts.people, tags: texts.tags } as const
const MANY = { units: texts.manyUnits, people: texts.manyPeople, tags: texts.manyTags } as const
const LEAVE = { units: texts.leaveUnits, people: texts.leavePeople, tags: texts.leaveTags } as const

/** What becomes of the names that the site lacks: a choice for each kind, and for single names. */
export function MissingNames({
  names,
  choices,
  onChange,
}: {
  names: NamesByKind
  choices: MissingChoices
  onChange: (choices: MissingChoices) => void
}) {
  const kinds = (Object.keys(names) as MissingKind[]).filter((kind) => names[kind].length > 0)
  if (kinds.length === 0) return null
  return (
    <Stack component="section" aria-label={texts.title} gap="md">
      <div>
        <Text fw={600} component="h3" m={0}>
          {texts.title}
        </Text>
        <Text size="sm">{texts.hint}</Text>
      </div>
      {kinds.map((kind) => (
        <Kind
          key={kind}
          kind={kind}
          names={names[kind]}
          choices={choices[kind]}
          onChange={(changed) => onChange({ ...choices, [kind]: changed })}
        />
      ))}
    </Stack>
  )
}

const NAMED = 20

/** The first names, and how many others there are. */
function firstNames(names: readonly MissingName[]): string {
  const first = names.slice(0, NAMED).map(({ label }) => label)
  const others = names.length - first.length
  return others > 0 ? format(texts.firstNames, { names: first.join(', '), count: others }) : listed(first)
}

function Kind({
  kind,
  names,
  choices,
  onChange,
}: {
  kind: MissingKind
  names: readonly MissingName[]
  choices: KindChoices
  onChange: (choices: KindChoices) => void
}) {
  const [isOpen, setIsOpen] = useState(choices.single.size > 0)
  const count = names.length
  const isCut = count >= MAX_CHOICES
  const title = isCut ? format(MANY[kind], { count }) : format(TITLES[kind], { count })
  const counts = countChoices(choices, plainNames(names))
  return (
    <Stack gap="xs">
      <Group gap="sm" justify="space-between">
        <Text fw={600} size="sm">
          {title}
        </Text>
        <Text size="sm" className="figures" aria-live="polite">
          {format(texts.summary, counts)}
        </Text>
      </Group>
      <Group gap="sm">
        <SegmentedControl
          aria-label={format(texts.choiceOf, { title })}
          value={choices.create ? 'create' : 'leave'}
          onChange={(value) => onChange({ ...choices, create: value === 'create' })}
          data={[
            { value: 'create', label: texts.create },
            { value: 'leave', label: LEAVE[kind] },
          ]}
        />
        <Button variant="default" size="sm" aria-expanded={isOpen} onClick={() => setIsOpen((before) => !before)}>
          {isOpen ? texts.hideSingle : texts.showSingle}
        </Button>
      </Group>
      {kind === 'people' && counts.created > 0 && <Text size="sm">{texts.peopleHint}</Text>}
      {!isOpen && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {firstNames(names)}
        </Text>
      )}
      {isOpen && isCut && <Text size="sm">{format(texts.onlyFirst, { count })}</Text>}
      {isOpen && <KindTable kind={kind} title={title} names={names} choices={choices} onChange={onChange} />}
    </Stack>
  )
}
