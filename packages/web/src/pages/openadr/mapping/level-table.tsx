import { Group, Input, NumberInput, Select, TextInput } from '@mantine/core'
import { SmallButton } from '../../../parts/small-button.tsx'
import { format } from '../../../texts/format.ts'
import { openadrMapping as texts } from '../../../texts/openadr-mapping.ts'
import classes from '../openadr.module.css'
import { type DraftLevel, newLevel } from './mapping-draft.ts'

const DOING = (['value', 'release'] as const).map((value) => ({ value, label: texts.doing[value] }))

/** Which value each level of a payload is. */
export function LevelTable({
  rule,
  levels,
  problemAt,
  onChange,
}: {
  /** The name of the rule. */
  rule: string
  levels: readonly DraftLevel[]
  problemAt: (field: string) => string | undefined
  onChange: (levels: DraftLevel[]) => void
}) {
  const change = (index: number, changed: Partial<DraftLevel>) =>
    onChange(levels.map((level, at) => (at === index ? { ...level, ...changed } : level)))
  return (
    <Input.Wrapper component="div" labelElement="div" label={texts.table} error={problemAt('table')}>
      <div className={classes.levels}>
        {levels.map((level, index) => (
          <div key={level.key} className={classes.level}>
            <TextInput
              aria-label={format(texts.levelOf, { number: index + 1, rule })}
              placeholder={texts.level}
              value={level.level}
              error={problemAt(`levels[${index}]`)}
              onChange={({ currentTarget }) => change(index, { level: currentTarget.value })}
            />
            <Select
              aria-label={format(texts.doesOf, { level: level.level })}
              data={DOING}
              value={level.does}
              allowDeselect={false}
              onChange={(does) => change(index, { does: does === 'release' ? 'release' : 'value' })}
            />
            {level.does === 'value' ? (
              <NumberInput
                aria-label={format(texts.valueOf, { level: level.level })}
                placeholder={texts.value}
                value={level.value}
                hideControls
                error={problemAt(`table.${level.level.trim()}`)}
                onChange={(value) => change(index, { value })}
              />
            ) : (
              <span />
            )}
            <SmallButton
              mt={3}
              px="sm"
              aria-label={format(texts.removeLevelOf, { level: level.level })}
              onClick={() => onChange(levels.filter(({ key }) => key !== level.key))}
            >
              ✕
            </SmallButton>
          </div>
        ))}
        <Group>
          <SmallButton onClick={() => onChange([...levels, newLevel(nextLevel(levels))])}>{texts.addLevel}</SmallButton>
        </Group>
      </div>
    </Input.Wrapper>
  )
}

/** The level after the highest one. */
const nextLevel = (levels: readonly DraftLevel[]) =>
  String(Math.max(-1, ...levels.map(({ level }) => Number(level)).filter(Number.isFinite)) + 1)
