import '@mantine/spotlight/styles.css'
import { Text } from '@mantine/core'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import type { SignedIn } from '@plantroom/contract/roles'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { describeError } from '../../parts/describe-error.ts'
import { common } from '../../texts/common.ts'
import { palette as texts } from '../../texts/palette.ts'
import type { Entry } from './entries.ts'
import classes from './palette.module.css'
import { usePaletteEntries } from './use-palette-entries.ts'

const [store, actions] = createSpotlight()
const LIST = 'palette-results'

/** Finds and opens sites, controllers, datapoints, requests, pages and actions. Each new `asked` opens it. */
export function Palette({
  asked,
  signedIn,
  siteId,
  own,
}: {
  asked: number
  signedIn: SignedIn
  /** Of the current page. What is there comes first. */
  siteId: string | undefined
  /** Pages and actions. */
  own: readonly Entry[]
}) {
  const [text, setText] = useState('')
  const [active, setActive] = useState<string>()
  const [, go] = useLocation()
  const { groups, isSearching, error } = usePaletteEntries(text, { signedIn, siteId, own })
  const shown = groups.map(({ entries }) => entries.map(({ id }) => id).join()).join()

  useEffect(() => {
    if (asked > 0) actions.open()
  }, [asked])
  // The first result is chosen, so that Enter opens it; a result that stays keeps its choice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the results
  useEffect(() => setActive(chooseFirst()), [shown])

  const choose = ({ to, run }: Entry) => {
    if (to !== undefined) go(to)
    run?.()
  }
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={text}
      onQueryChange={setText}
      scrollable
      maxHeight="min(60vh, 480px)"
      attributes={{ content: { 'aria-label': texts.title } }}
      classNames={{
        action: classes.action,
        actionDescription: classes.description,
        actionsGroup: classes.group,
        footer: classes.footer,
      }}
      onKeyUp={() => setActive(selected()?.id)}
    >
      <Spotlight.Search
        placeholder={texts.placeholder}
        aria-label={texts.title}
        role="combobox"
        aria-expanded="true"
        aria-controls={LIST}
        aria-activedescendant={active}
        maxLength={100}
      />
      <Spotlight.ActionsList id={LIST} role="listbox" aria-label={texts.results}>
        {groups.map(({ kind, entries }) => (
          <Spotlight.ActionsGroup key={kind} label={texts.kinds[kind]} role="group" aria-label={texts.kinds[kind]}>
            {entries.map((entry) => (
              <Spotlight.Action
                key={entry.id}
                // The library keeps an `id` to itself.
                ref={(element: HTMLButtonElement | null) => element?.setAttribute('id', elementId(entry))}
                role="option"
                label={entry.label}
                description={entry.description}
                onClick={() => choose(entry)}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
      </Spotlight.ActionsList>
      {(groups.length === 0 || error) && (
        <Spotlight.Empty role="status">
          {error ? describeError(error) : isSearching ? common.loading : texts.nothing}
        </Spotlight.Empty>
      )}
      <Spotlight.Footer>
        <Text size="sm" c="dimmed">
          {texts.hint}
        </Text>
      </Spotlight.Footer>
    </Spotlight.Root>
  )
}

const elementId = ({ id }: Entry) => `palette-${id.replaceAll(/\W/g, '-')}`

const selected = () => document.querySelector(`#${LIST} [data-selected]`) ?? undefined

/** Marks the first result and returns its id. */
function chooseFirst(): string | undefined {
  selected()?.removeAttribute('data-selected')
  const first = document.querySelector(`#${LIST} [data-action]`)
  first?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: first ? 0 : -1 }))
  return first?.id
}
