import { number } from './table';

/** Something that must hold. All are ratios or derived within one run: machines differ. */
export interface Bound {
	what: string;
	measured: number;
	atMost: number;
	unit?: string;
}

export const holds = ({ measured, atMost }: Bound): boolean => measured <= atMost;

export function boundLine(bound: Bound): string {
	const unit = bound.unit ? ` ${bound.unit}` : '';
	const result = holds(bound) ? 'PASS' : 'FAIL';
	const measured = number(bound.measured, 2);
	return `${result}  ${bound.what}: ${measured}${unit}, at most ${number(bound.atMost, 2)}${unit}`;
}

/** What one part of the benchmark found out. */
export interface Report {
	title: string;
	tables: string[];
	bounds: Bound[];
}
