import { Anchor, CloseButton, Group, Portal, Stack, Text, TextInput, Typography } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { common, navigation } from '../../texts/common.ts'
import { help as texts } from '../../texts/help.ts'
import { ErrorNotice, Loading } from '../notices.tsx'
import { type Article, articleOf } from './article-of.ts'
import { FoundSections } from './found-sections.tsx'
import classes from './help-panel.module.css'
import { ALL_ARTICLES, addressOf, isArticle, type LoadedArticle, loadArticle } from './load-article.ts'

/** The article about the current page, beside it, with a search. It follows the page until a link or result is chosen. */
export function HelpPanel({ article, onClose }: { article: Article | undefined; onClose: () => void }) {
  const [path] = useLocation()
  const [chosen, setChosen] = useState<{ address: string; on: string }>()
  const [question, setQuestion] = useState('')
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.focus(), [])
  const address = chosen?.on === path ? chosen.address : addressOf(article ?? articleOf(path))
  const loaded = useQuery({
    queryKey: ['help', withoutAnchor(address)],
    queryFn: () => loadArticle(withoutAnchor(address)),
    staleTime: Number.POSITIVE_INFINITY,
  })

  /** Shows an article in the panel; other links open as usual. */
  const follow = (event: MouseEvent) => {
    const to = (event.target as Element).closest('a')?.getAttribute('href') ?? ''
    if (!isArticle(to) || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    setChosen({ address: to, on: path })
    setQuestion('')
    panel.current?.focus()
  }

  return (
    <Portal>
      <aside
        className={classes.panel}
        aria-label={navigation.help}
        ref={panel}
        tabIndex={-1}
        data-print="never"
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
        onClick={follow}
      >
        <Stack gap="sm">
          <Group justify="space-between" wrap="nowrap">
            <Text fw={700}>{navigation.help}</Text>
            <CloseButton aria-label={common.close} onClick={onClose} />
          </Group>
          <TextInput
            type="search"
            aria-label={texts.search}
            placeholder={texts.search}
            value={question}
            onChange={(event) => setQuestion(event.currentTarget.value)}
          />
          {loaded.data && question.trim() !== '' && (
            <FoundSections pages={loaded.data.pages} question={question.trim()} />
          )}
          {loaded.error && <ErrorNotice error={loaded.error} retry={loaded.refetch} />}
          {loaded.isPending && <Loading />}
          {loaded.data && question.trim() === '' && <ArticleText article={loaded.data} anchor={anchorOf(address)} />}
          <Group gap="md" className={classes.foot}>
            <Anchor size="sm" href={ALL_ARTICLES}>
              {texts.all}
            </Anchor>
            <Anchor
              size="sm"
              href={address}
              target="_blank"
              rel="noopener"
              onClick={(event) => event.stopPropagation()}
            >
              {texts.openInTab}
            </Anchor>
          </Group>
        </Stack>
      </aside>
    </Portal>
  )
}

const withoutAnchor = (address: string) => address.replace(/#.*/, '')
const anchorOf = (address: string) => decodeURIComponent(address.split('#')[1] ?? '')

function ArticleText({ article, anchor }: { article: LoadedArticle; anchor: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.replaceChildren(...article.content)
    const heading = [...(place.current?.querySelectorAll('[id]') ?? [])].find(({ id }) => id === anchor)
    ;(heading ?? place.current?.closest('aside')?.firstElementChild)?.scrollIntoView()
  }, [article, anchor])
  return (
    <Typography className={classes.article}>
      <div ref={place} />
    </Typography>
  )
}
