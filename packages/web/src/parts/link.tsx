import { Anchor, type AnchorProps } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { Link as Route } from 'wouter'
import { type Message, partsOf, type Values } from '../texts/format.ts'

/** A link to another page of the console. With `inherit` it stands in a sentence, where color alone would not show it. */
export function Link({ to, children, ...rest }: AnchorProps & { to: string; children: ReactNode }) {
  return (
    <Anchor component={Route} href={to} underline={rest.inherit ? 'always' : 'hover'} {...rest}>
      {children}
    </Anchor>
  )
}

/** A message with elements, for example links, in place of its placeholders. */
export function RichText<const Of extends Message>({
  message,
  values,
}: {
  message: Of
  values: { readonly [Name in keyof Values<Of>]: ReactNode }
}) {
  return partsOf(message, values as Readonly<Record<string, ReactNode>>).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never change places
    <Fragment key={place}>{part}</Fragment>
  ))
}
