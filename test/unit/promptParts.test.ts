import { partsOf } from '../../nodes/Videogen/fields/prompt';

describe('the parts of a prompt that are asked for once more', () => {
	test.each([
		['a plain text', 'A red fox {{ $json.a }}'],
		['a text without expressions', '=A red fox'],
		['an expression alone', '={{ $json.prompt }}'],
		['no text at all', undefined],
		['an expression without an end', '=A {{ $json.a'],
	])('are none in %s', (_what, written) => expect(partsOf(written)).toEqual([]));

	test.each([
		['=A {{ $json.a }}, {{ $json.b }} and {{ $json.a }}', ['{{ $json.a }}', '{{ $json.b }}']],
		['={{ $json.a }}{{ $json.b }}', ['{{ $json.a }}', '{{ $json.b }}']],
		['= {{ $json.a }}', ['{{ $json.a }}']],
		['={{ $json.a }},{{ $json.b }}', ['{{ $json.a }}', '{{ $json.b }}']],
	])('are all in %p', (written, parts) => expect(partsOf(written)).toEqual(parts));
});
