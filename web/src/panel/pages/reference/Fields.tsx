import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Description, resolved, type Schema } from '../../../../../src/entry/public/reference/description.ts';
import { flat, insideOf, kindOf, meaningsOf, rulesOf } from '../../../../../src/entry/public/reference/words.ts';
import classes from './Fields.module.css';
import { inline, Prose } from './Prose.tsx';

/** One field of a request or an answer, in words. */
export function Field(field: {
  name: string;
  schema: Schema;
  about: string;
  required?: boolean;
  /** Of an answer: it is not always there. */
  mayMiss?: boolean;
  children?: ReactNode;
}) {
  const { name, schema, about, required, mayMiss, children } = field;
  const [text, meanings] = meaningsOf(schema, about);
  return (
    <div className={classes.field}>
      <dt className={classes.name}>
        <span className="mono">{name}</span>
        <span className={classes.kind}>{kindOf(schema)}</span>
        {required && (
          <Badge size="xs" variant="default">
            required
          </Badge>
        )}
        {mayMiss && (
          <Badge size="xs" variant="default">
            not always
          </Badge>
        )}
      </dt>
      <dd className={classes.about}>
        <Prose text={text} />
        {meanings !== '' && <Prose text={meanings} />}
        <span className={classes.kind}>{inline(rulesOf(schema))}</span>
        {children}
      </dd>
    </div>
  );
}

interface FieldsProps {
  api: Description;
  schema: Schema;
  depth?: number;
  /** Fields that are explained elsewhere. */
  without?: readonly string[];
}

/** The fields of an object, and what is inside them. */
export function Fields({ api, schema, depth = 0, without = [] }: FieldsProps) {
  const { properties = {}, required = [] } = flat(api, schema);
  return (
    <dl className={classes.list}>
      {Object.entries(properties)
        .filter(([name]) => !without.includes(name))
        .map(([name, property]) => {
          const inner = insideOf(api, property);
          const about = property.description ?? resolved(api, property).description ?? '';
          return (
            <Field
              key={name}
              name={name}
              schema={resolved(api, property)}
              about={about}
              mayMiss={!required.includes(name)}
            >
              {inner && depth < 3 && (
                <div className={classes.inner}>
                  <Fields api={api} schema={inner} depth={depth + 1} />
                </div>
              )}
            </Field>
          );
        })}
    </dl>
  );
}
