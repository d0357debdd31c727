import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Empty } from '../../parts/notices.tsx'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { people as texts } from '../../texts/people.ts'

/** Returns the items whose texts contain every word of the query, in any order and case. */
export function matching<Item>(
  items: readonly Item[],
  query: string,
  textsOf: (item: Item) => readonly (string | null)[],
): Item[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return items.filter((item) => {
    const text = textsOf(item).join(' ').toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  })
}

const STEP = 50

/** The start of a long list, and more on demand: thousands of rows would make the page slow. */
export function Shortened<Item>({
  items,
  children,
}: {
  items: readonly Item[]
  children: (shown: readonly Item[]) => ReactNode
}) {
  const [most, setMost] = useState(STEP)
  if (items.length === 0) return <Empty title={texts.nothingFound} />
  return (
    <Stack>
      {children(items.slice(0, most))}
      {items.length > most && (
        <Group justify="center">
          <Text size="sm">{format(texts.shown, { shown: most, all: items.length })}</Text>
          <Button variant="default" onClick={() => setMost(most + STEP * 4)}>
            {common.more}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
