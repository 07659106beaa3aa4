import { type CSSProperties, useId } from 'react';
import classes from './Choice.module.css';

interface ChoiceProps<Value extends string> {
  label: string;
  options: readonly { readonly value: Value; readonly label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  isSmall?: boolean;
  isFullWidth?: boolean;
  /** Behind the chosen one, with white text. */
  color?: string;
}

/**
 * A choice of a few options, all of them visible: radio buttons in a row. Mantine's control measures the page to move a marker, which costs
 * a slow phone a tenth of a second whenever one appears.
 */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, options, value, onChange, isSmall, isFullWidth, color } = props;
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={classes.choice}
      data-small={isSmall || undefined}
      data-full={isFullWidth || undefined}
      style={color ? ({ '--chosen': color, '--chosen-text': '#fff' } as CSSProperties) : undefined}
    >
      {options.map((option) => (
        <label key={option.value} className={classes.option}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
