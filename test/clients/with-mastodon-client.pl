# What a person does with a client built on Perl's Mastodon::Client, which makes objects of all that it reads and dies on what
# does not fit; prints one JSON object for test/clients/mastodon.test.ts.
use strict;
use warnings;
use utf8;
use open qw( :std :encoding(UTF-8) );
use JSON::PP;
use Encode qw( decode_utf8 );
use Mastodon::Client;

my $seat = JSON::PP->new->decode($ENV{HUBBUB_CLIENT});
my $client = Mastodon::Client->new(
    instance => $seat->{url},
    name => 'Perl',
    scopes => [qw( read write follow )],
    coerce_entities => 1,
);
$client->register;
# The address goes out, the code comes in by a line each.
$| = 1;
print $client->authorization_url, "\n";
my $code = <STDIN>;
chomp $code;
# Its own way asks below /api/v1, where Mastodon has nothing either.
my $token = $client->post('/oauth/token' => {
    client_id => $client->client_id,
    client_secret => $client->client_secret,
    redirect_uri => $client->redirect_uri,
    grant_type => 'authorization_code',
    code => $code,
    scope => 'follow read write',
});
die 'Granted and requested scopes do not match' if $token->{scope} ne 'follow read write';
$client->access_token($token->{access_token});

my %said = (login => $client->get_account->username);
my @posts = map { $client->post_status("perl $_ é 😀 & <b>") } 0 .. 4;
$said{posted} = [ map { '' . $_->id } @posts ];
# It encodes once too often what it reads.
$said{text} = decode_utf8($posts[0]->content);
$said{class} = ref $posts[0];
$said{created} = ref $posts[0]->created_at;
my ($below, @paged);
while (1) {
    my $page = $client->timeline('home', { limit => 3, $below ? (max_id => $below) : () });
    last unless @$page;
    push @paged, map { '' . $_->id } @$page;
    $below = $paged[-1];
}
$said{paged} = \@paged;
my $friends = $seat->{friends_post};
my $reply = $client->post_status('perl answers', { in_reply_to_id => $friends });
$said{reply_to} = '' . $reply->in_reply_to_id;
$said{favourited} = $client->post("statuses/$friends/favourite")->favourited ? 1 : 0;
$said{reblogged} = '' . $client->reblog_status($friends)->reblog->id;
$said{friend} = $client->get_account($seat->{friend_id})->acct;
$said{following} = $client->relationships($seat->{friend_id})->[0]->following ? 1 : 0;
# It cannot delete, and it cannot make objects of threads and notifications, from whatever server.
$client->coerce_entities(0);
$said{context} = [ map { $_->{id} } @{ $client->get('statuses/' . $reply->id . '/context')->{ancestors} } ];
$said{notified} = [ map { $_->{type} } @{ $client->notifications } ];
$said{found} = [ map { $_->{acct} } @{ $client->get('search', { q => $seat->{friend} })->{accounts} } ];
$said{gone} = eval { $client->get_status(999_999); 'It is there' } || ($@ =~ /(404[^\n]*?) at /)[0];
print JSON::PP->new->encode(\%said), "\n";
