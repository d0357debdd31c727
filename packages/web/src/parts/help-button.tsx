import { UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import { lazy, Suspense, useRef } from 'react'
import { navigation } from '../texts/common.ts'
import type { Article } from './help/article-of.ts'

const HelpPanel = lazy(async () => ({ default: (await import('./help/help-panel.tsx')).HelpPanel }))

/** Opens the article about the current page beside it, or a certain article. */
export function HelpButton({ article }: { article?: Article }) {
  const [opened, { toggle, close }] = useDisclosure()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <UnstyledButton ref={button} onClick={toggle} aria-label={navigation.help} aria-expanded={opened} lh={0}>
        <IconHelp size={24} aria-hidden />
      </UnstyledButton>
      <Suspense>
        {opened && (
          <HelpPanel
            article={article}
            onClose={() => {
              close()
              button.current?.focus()
            }}
          />
        )}
      </Suspense>
    </>
  )
}
